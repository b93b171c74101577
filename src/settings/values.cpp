#include "settings/values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "core/atomic_file.h"
#include "core/finite_number.h"
#include "core/memory_size.h"
#include "data/csv.h"
#include "data/data_source.h"
#include "data/image_folder.h"
#include "sotto/mechanisms/record_filter.h"
#include "sotto/plan/plan.h"

namespace sotto::settings {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kLargestWhole = 0x1p53;

double whole_number(const std::string& text, double least, const char* accepted) {
  const double value = number(text, {least, true, kLargestWhole, true, accepted});
  if (value != std::floor(value)) throw NotAccepted(accepted);
  return value;
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::istringstream lines(read_file(file));
  std::vector<std::string> values;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const std::string value(mechanisms::trimmed(line));
    if (!value.empty()) values.push_back(value);
  }
  return values;
}

// What somebody meant who named a file or folder without its kind.
std::string meant_dataset(const std::string& text) {
  std::error_code ignored;
  if (std::filesystem::is_directory(text, ignored)) {
    return "; did you mean images:" + text + " or idx:" + text + "?";
  }
  const bool there = std::filesystem::exists(text, ignored);
  return there ? "; did you mean csv:" + text + "?" : "";
}

}  // namespace

double number(const std::string& text, const Bounds& bounds) {
  const auto value = finite_number(text);
  if (!value) throw NotAccepted(bounds.accepted);
  const bool above = bounds.low_included ? *value >= bounds.low : *value > bounds.low;
  const bool below = bounds.high_included ? *value <= bounds.high : *value < bounds.high;
  if (!above || !below) throw NotAccepted(bounds.accepted);
  return *value;
}

std::int64_t count(const std::string& text) {
  return static_cast<std::int64_t>(whole_number(text, 1, "a whole number of at least 1"));
}

std::int64_t group_size(const std::string& text) {
  const auto size = number(
      text, {1, true, static_cast<double>(kLargestGroup), true, "a whole number from 1 to 1000"});
  if (size != std::floor(size)) throw NotAccepted("a whole number from 1 to 1000");
  return static_cast<std::int64_t>(size);
}

double nonnegative(const std::string& text) {
  return number(text, {0, true, kLargest, true, "a number, 0 or above"});
}

double positive(const std::string& text) {
  return number(text, {0, false, kLargest, true, "a number above 0"});
}

double probability(const std::string& text) {
  return number(text, {0, false, 1, false, "a number between 0 and 1"});
}

double share(const std::string& text) {
  return number(text, {0, true, 1, false, "a number, 0 or above and below 1"});
}

std::uint64_t seed(const std::string& text) {
  return static_cast<std::uint64_t>(whole_number(text, 0, "a whole number, 0 or above"));
}

double norm(const std::string& text) {
  return number(text, {kLeastNorm, true, kLargestNorm, true, "a number from 1e-12 to 1e12"});
}

double noise(const std::string& text) {
  static const std::string accepted =
      "a positive number (to train without noise, say " + the_setting("disable_dp") + ")";
  return number(text, {0, false, kLargest, true, accepted.c_str()});
}

std::int64_t bytes(const std::string& text) {
  try {
    return static_cast<std::int64_t>(memory_size(text));
  } catch (const InvalidArgument&) {
    throw NotAccepted("an amount such as 2GiB, 500MB or 1e6 (bytes)");
  }
}

std::string text(const std::string& text) { return text; }

std::string dataset(const std::string& text) {
  try {
    const auto source = data::DataSource::parse(text);
    if (source.kind == data::DataKind::kCsv) existing_file(source.path.string());
    if (source.kind == data::DataKind::kIdx || source.kind == data::DataKind::kImages) {
      existing_folder(source.path.string());
    }
    return source.spec();
  } catch (const NotAccepted&) {
    throw;
  } catch (const InvalidArgument&) {
    throw NotAccepted("fashion-mnist, mnist, cifar10, digits, csv:PATH, idx:DIR or images:DIR" +
                      meant_dataset(text));
  }
}

std::filesystem::path existing_file(const std::string& text) {
  std::error_code ignored;
  if (!std::filesystem::exists(text, ignored)) throw NotAccepted("an existing file");
  if (std::filesystem::is_directory(text, ignored)) throw NotAccepted("a file, not a folder");
  return text;
}

std::filesystem::path existing_folder(const std::string& text) {
  std::error_code ignored;
  if (!std::filesystem::exists(text, ignored)) throw NotAccepted("an existing folder");
  if (!std::filesystem::is_directory(text, ignored)) throw NotAccepted("a folder, not a file");
  return text;
}

std::vector<std::string> list(const std::string& text) {
  std::istringstream input(text);
  data::CsvReader reader(input, "list");
  std::vector<std::string> fields;
  std::vector<std::string> more;
  bool complete = false;
  try {
    reader.next(fields);
    complete = !fields.empty() && !reader.next(more);
  } catch (const InvalidArgument&) {
  }
  for (auto& field : fields) field = std::string(mechanisms::trimmed(field));
  complete = complete && std::none_of(fields.begin(), fields.end(),
                                      [](const auto& field) { return field.empty(); });
  if (!complete) throw NotAccepted("values separated by commas");
  return fields;
}

std::vector<double> numbers(const std::string& text) {
  std::vector<double> numbers;
  for (const auto& value : list(text)) {
    numbers.push_back(
        number(value, {-kLargest, true, kLargest, true, "numbers separated by commas"}));
  }
  return numbers;
}

std::vector<std::string> list_or_file(const std::string& text) {
  if (!text.starts_with('@')) return list(text);
  auto values = lines_of(existing_file(text.substr(1)));
  if (values.empty()) throw NotAccepted("one value per line");
  return values;
}

std::vector<std::string> class_names(const std::string& text) {
  auto names = list_or_file(text);
  data::check_class_names(names);
  return names;
}

std::int64_t image_size_by_factor(const std::string& text) {
  constexpr std::int64_t kImageNet = 224;
  const auto factor = count(text);
  if (factor == 1 || factor == 2 || factor == 4) return kImageNet / factor;
  throw NotAccepted("1, 2 or 4");
}

}  // namespace sotto::settings
