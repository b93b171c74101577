// How the gradient of a clipless run compares with its noise, parameter by parameter.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "sotto/lipschitz/lipschitz_model.h"
#include "sotto/settings/training_config.h"
#include "sotto/train/model_file.h"

namespace sotto::train {

// At the weights of `loaded`, on the first training records that make a batch, with the noise of
// the ledger in the folder `run`. The records are looked at without noise: not covered by ε.
// REQUIRES: the configuration is that of the run, which was private and clipless.
std::vector<lipschitz::SignalToNoise> noise_levels_of(const std::filesystem::path& run,
                                                      const TrainingConfig& config,
                                                      LoadedModel& loaded);

nlohmann::ordered_json noise_levels_json(const std::vector<lipschitz::SignalToNoise>& parameters);

}  // namespace sotto::train
