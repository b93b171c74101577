// How loud the gradient of a clipless run is in its noise, parameter by parameter.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sotto/lipschitz/lipschitz_model.h"
#include "sotto/train/model_file.h"

namespace sotto::cli {

// At the weights of a clipless run's model, on the first training records that make a batch. They
// are looked at without noise: not covered by ε. Throws UsageError unless there is a run of that
// method, trained privately, beside the model.
std::vector<lipschitz::SignalToNoise> loudness_of(const std::string& run,
                                                  train::LoadedModel& loaded);

std::string loudness_text(const std::vector<lipschitz::SignalToNoise>& parameters);
nlohmann::ordered_json loudness_json(const std::vector<lipschitz::SignalToNoise>& parameters);

}  // namespace sotto::cli
