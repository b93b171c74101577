// The values of settings as people write them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/core/error.h"

namespace sotto::settings {

// A text that stands for no accepted value. what() is how to say what is: "expected a number".
class NotAccepted : public InvalidSetting {
 public:
  explicit NotAccepted(const std::string& expected) : InvalidSetting("expected " + expected) {}
  explicit NotAccepted(const InvalidArgument& why) : InvalidSetting(why.what()) {}
};

struct Bounds {
  double low;
  bool low_included;
  double high;
  bool high_included;
  const char* accepted;  // how to say it
};

// Each throws NotAccepted for any other text.

// A finite number within the bounds.
double number(const std::string& text, const Bounds& bounds);
// A whole number of at least 1, at most 2^53. "1e6" is accepted, "1.5" is not.
std::int64_t count(const std::string& text);
// Records of one person: 1 to kLargestGroup.
std::int64_t group_size(const std::string& text);
double nonnegative(const std::string& text);
double positive(const std::string& text);
// Strictly between 0 and 1.
double probability(const std::string& text);
// 0 or above and below 1.
double share(const std::string& text);
std::uint64_t seed(const std::string& text);
// A clipping norm, and a noise multiplier.
double norm(const std::string& text);
double noise(const std::string& text);
// "2GiB", "500MB" or "1e6" (bytes).
std::int64_t bytes(const std::string& text);

std::string text(const std::string& text);
// A data set's name, or where its file or folder is, which must be there.
std::string dataset(const std::string& text);
// A file that is there, and a folder.
std::filesystem::path existing_file(const std::string& text);
std::filesystem::path existing_folder(const std::string& text);
// Values separated by commas, quoted as in CSV where they hold one.
std::vector<std::string> list(const std::string& text);
// Finite numbers, separated in the same way.
std::vector<double> numbers(const std::string& text);
// As list(), or "@FILE" with one value per line.
std::vector<std::string> list_or_file(const std::string& text);
std::vector<std::string> class_names(const std::string& text);
// ImageNet's 224 pixels by "1", or a half or a quarter of them by "2" and "4".
std::int64_t image_size_by_factor(const std::string& text);

// What stands for such a value behind a flag: "--epochs N". Of any other function, it is the name
// of something.
template <auto parse>
inline constexpr const char* kPlaceholder = "NAME";

inline constexpr const char* kNumberPlaceholder = "X";

template <>
inline constexpr const char* kPlaceholder<count> = "N";
template <>
inline constexpr const char* kPlaceholder<group_size> = "N";
template <>
inline constexpr const char* kPlaceholder<seed> = "N";
template <>
inline constexpr const char* kPlaceholder<image_size_by_factor> = "N";
template <>
inline constexpr const char* kPlaceholder<nonnegative> = kNumberPlaceholder;
template <>
inline constexpr const char* kPlaceholder<positive> = kNumberPlaceholder;
template <>
inline constexpr const char* kPlaceholder<probability> = kNumberPlaceholder;
template <>
inline constexpr const char* kPlaceholder<share> = kNumberPlaceholder;
template <>
inline constexpr const char* kPlaceholder<norm> = kNumberPlaceholder;
template <>
inline constexpr const char* kPlaceholder<noise> = kNumberPlaceholder;
template <>
inline constexpr const char* kPlaceholder<bytes> = "SIZE";
template <>
inline constexpr const char* kPlaceholder<dataset> = "DATA";
template <>
inline constexpr const char* kPlaceholder<existing_file> = "FILE";
template <>
inline constexpr const char* kPlaceholder<existing_folder> = "DIR";
template <>
inline constexpr const char* kPlaceholder<list> = "A,B,...";
template <>
inline constexpr const char* kPlaceholder<numbers> = "X,X,...";
template <>
inline constexpr const char* kPlaceholder<list_or_file> = "A,B,...|@FILE";
template <>
inline constexpr const char* kPlaceholder<class_names> = "A,B,...|@FILE";

}  // namespace sotto::settings
