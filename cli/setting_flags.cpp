#include "cli/setting_flags.h"

#include <algorithm>

#include "settings/gan_table.h"
#include "settings/training_table.h"

namespace sotto::cli {
namespace {

// A data set as a whole goes by the flag that names it, what is said of it by its own.
bool is_key_of(const std::string& key, const std::string& place) {
  return place == key || place == key + ".dataset" || place == "data." + key;
}

template <typename Config>
std::string flag_in(settings::Table<Config> table, const std::string& key) {
  for (const auto& setting : table) {
    const bool is_shown = setting.key != nullptr && setting.flags != nullptr;
    if (is_shown && is_key_of(key, setting.key)) return settings::long_flag(setting.flags);
  }
  return "";
}

}  // namespace

std::string flag_of(const std::string& key) {
  if (auto flag = flag_in(settings::training_settings(), key); !flag.empty()) return flag;
  if (auto flag = flag_in(settings::gan_settings(), key); !flag.empty()) return flag;
  std::string flag = "--" + key;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

}  // namespace sotto::cli
