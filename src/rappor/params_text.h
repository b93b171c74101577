// Parameters for readers, and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sotto/rappor/params.h"

namespace sotto::rappor {

// "k = 128, h = 2, m = 16, f = 0.5, p = 0.5, q = 0.75".
std::string params_text(const Params& params);

// The same, under these letters.
nlohmann::ordered_json params_json(const Params& params);

}  // namespace sotto::rappor
