// The scattering transform as TorchScript.
#pragma once

#include <string>

#include "sotto/models/models.h"

namespace sotto::train {

// Methods of the module that the network's forward() belongs to; scattering_expression() calls
// them. Filters are computed where they are used, so that a file holds none. Python runs them on
// any LibTorch; the sum of rounding errors is about 1e-5.
extern const char* const kScatteringScript;

// Of one layer, in x.
std::string scattering_expression(const models::ScatteringImpl& layer);

}  // namespace sotto::train
