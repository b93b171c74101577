// All settings of a training run, under the names of this area.
#pragma once

#include "sotto/settings/training_config.h"

namespace sotto::train {

using Method = settings::TrainingMethod;
using settings::CliplessConfig;
using settings::GradientPath;
using settings::OptimizerKind;
using settings::TrainingConfig;

}  // namespace sotto::train
