#include "settings/config_json.h"

#include <nlohmann/json.hpp>

#include "settings/gan_table.h"
#include "settings/training_table.h"

namespace sotto::settings {

nlohmann::json json_of(const TrainingConfig& config) {
  return settings::to_json(training_settings(), config);
}

TrainingConfig training_config_from_json(const nlohmann::json& json) {
  return settings::from_json(training_settings(), json);
}

nlohmann::json json_of(const GanConfig& config) {
  auto json = settings::to_json(gan_settings(), config);
  json["kind"] = "gan";
  return json;
}

GanConfig gan_config_from_json(const nlohmann::json& json) {
  check_argument(json.is_object() && json.contains("kind") && json["kind"] == "gan",
                 "config.json: not a generator's run");
  auto settings_alone = json;
  settings_alone.erase("kind");
  return settings::from_json(gan_settings(), settings_alone);
}

}  // namespace sotto::settings
