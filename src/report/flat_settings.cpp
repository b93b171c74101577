#include "report/flat_settings.h"

#include "runs/json_file.h"

namespace sotto::report {

Settings flat_settings(const nlohmann::json& config) {
  Settings settings;
  for (const auto& item : config.items()) {
    if (!item.value().is_object()) {
      settings[item.key()] = runs::shown(item.value());
      continue;
    }
    for (const auto& inner : item.value().items()) {
      settings[item.key() + "." + inner.key()] = runs::shown(inner.value());
    }
  }
  return settings;
}

Html settings_list(const Settings& settings) {
  Html items;
  for (const auto& [key, value] : settings) {
    items += element("div", element("dt", key) + element("dd", value)) + Html::markup("\n");
  }
  return element("dl", items, {{"class", "settings"}});
}

}  // namespace sotto::report
