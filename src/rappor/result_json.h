// Results as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rappor/decoder.h"
#include "rappor/simulation.h"

namespace sotto::rappor {

// What was found, and how well the counts fit; with all fitted candidates if `all`.
nlohmann::ordered_json decoding_json(const Decoding& decoding, const CandidateMap& map, bool all);

// What was simulated, and how much of it was found; not the single strings.
nlohmann::ordered_json simulation_json(const Simulation& simulation,
                                       const SimulationOptions& options);

}  // namespace sotto::rappor
