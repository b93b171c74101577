// How the data that a run names are loaded.
#pragma once

#include "data/registry.h"
#include "sotto/settings/training_config.h"

namespace sotto::settings {

data::LoadOptions load_options(const TrainingConfig& config);

}  // namespace sotto::settings
