#include "settings/setting.h"

#include <algorithm>

namespace sotto::settings {
namespace detail {

nlohmann::json::json_pointer place_of(const std::string& key) {
  std::string path = "/" + key;
  std::replace(path.begin(), path.end(), '.', '/');
  return nlohmann::json::json_pointer(path);
}

void require_known(const nlohmann::json& json, const nlohmann::json& known) {
  for (const auto& item : json.items()) {
    const auto found = known.find(item.key());
    check_argument(found != known.end(), "unknown key '", item.key(), "' in the configuration");
    if (item.value().is_object() && found->is_object()) require_known(item.value(), *found);
  }
}

}  // namespace detail

std::string long_flag(const std::string& flags) {
  const auto begin = flags.find("--");
  return flags.substr(begin, flags.find_first_of(",|", begin) - begin);
}

}  // namespace sotto::settings
