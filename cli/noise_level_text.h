// How the gradient of a clipless run compares with its noise, for a reader.
#pragma once

#include <string>
#include <vector>

#include "sotto/lipschitz/lipschitz_model.h"

namespace sotto::cli {

std::string noise_levels_text(const std::vector<lipschitz::SignalToNoise>& parameters);

}  // namespace sotto::cli
