#include "settings/setting.h"

#include <algorithm>
#include <sstream>
#include <string_view>

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

std::vector<std::string> words_in(const std::string& accepted) {
  constexpr std::string_view kOneOf = "one of ";
  std::istringstream parts(accepted.starts_with(kOneOf) ? accepted.substr(kOneOf.size())
                                                        : accepted);
  std::vector<std::string> words;
  for (std::string word; parts >> word;) {
    if (word.ends_with(',')) word.pop_back();
    if (word != "or") words.push_back(word);
  }
  return words;
}

std::string long_flag(const std::string& flags) {
  const auto begin = flags.find("--");
  return flags.substr(begin, flags.find_first_of(",|", begin) - begin);
}

std::vector<std::string> flag_names(std::string flags) {
  std::replace(flags.begin(), flags.end(), '|', ',');
  std::istringstream parts(flags);
  std::vector<std::string> names;
  for (std::string name; std::getline(parts, name, ',');) names.push_back(name);
  return names;
}

}  // namespace sotto::settings
