// When settings apply, as both tables say it.
#pragma once

#include <string>

namespace sotto::settings {

// What kind of data a data set is, by its name.
inline bool is_table(const std::string& dataset) { return dataset.starts_with("csv:"); }
inline bool is_idx(const std::string& dataset) { return dataset.starts_with("idx:"); }
inline bool is_image_folder(const std::string& dataset) { return dataset.starts_with("images:"); }
// Records are held out of these where no public test records come with them.
inline bool may_hold_out(const std::string& dataset) {
  return is_table(dataset) || is_image_folder(dataset);
}

// What a setting goes with: see Setting::only().
inline constexpr const char* kWithTable = "--dataset csv:PATH";
inline constexpr const char* kWithIdx = "--dataset idx:DIR";
inline constexpr const char* kWithImages = "--dataset images:DIR";
inline constexpr const char* kWithPrivacy = "privacy, which --disable-dp turns off";
inline constexpr const char* kWithHeldOut = "privacy, and --dataset csv:PATH or images:DIR";

}  // namespace sotto::settings
