// The settings of a training run, one line each.
#pragma once

#include "settings/setting.h"
#include "sotto/settings/training_config.h"

namespace sotto::settings {

// Every setting, in the order of `sotto train --help`.
Table<TrainingConfig> training_settings();

}  // namespace sotto::settings
