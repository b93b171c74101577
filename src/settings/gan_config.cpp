#include "sotto/settings/gan_config.h"

#include "settings/gan_table.h"

namespace sotto::settings {

nlohmann::json GanConfig::to_json() const {
  auto json = settings::to_json(gan_settings(), *this);
  json["kind"] = "gan";
  return json;
}

GanConfig GanConfig::from_json(const nlohmann::json& json) {
  check_argument(json.is_object() && json.contains("kind") && json["kind"] == "gan",
                 "config.json: not a generator's run");
  auto settings_alone = json;
  settings_alone.erase("kind");
  return settings::from_json(gan_settings(), settings_alone);
}

}  // namespace sotto::settings
