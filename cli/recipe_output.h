// Which settings a run would have, and why.
#pragma once

#include <string>

#include "sotto/settings/training_config.h"

namespace sotto::cli {

std::string recipe_json(const settings::TrainingConfig& config);
std::string recipe_text(const settings::TrainingConfig& config);

}  // namespace sotto::cli
