// Which settings a run would have, and why.
#pragma once

#include <string>

#include "sotto/train/training_config.h"

namespace sotto::cli {

std::string recipe_json(const train::TrainingConfig& config);
std::string recipe_text(const train::TrainingConfig& config);

}  // namespace sotto::cli
