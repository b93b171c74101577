// config.json of a run.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sotto/settings/gan_config.h"
#include "sotto/settings/training_config.h"

namespace sotto::settings {

nlohmann::json json_of(const TrainingConfig& config);
nlohmann::json json_of(const GanConfig& config);

// What json_of() gave. Throw InvalidArgument if a key is missing, unknown or of the wrong type;
// what came later than the first format may be missing.
TrainingConfig training_config_from_json(const nlohmann::json& json);
GanConfig gan_config_from_json(const nlohmann::json& json);

}  // namespace sotto::settings
