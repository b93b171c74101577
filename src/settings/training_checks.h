// What settings of a training run must not contradict, known before any data are.
#pragma once

#include "sotto/settings/training_config.h"

namespace sotto::settings {

// Throws InvalidArgument (InvalidSetting where settings are named) for values out of range, and for
// settings that do not go together.
void require_consistent(const TrainingConfig& config);

}  // namespace sotto::settings
