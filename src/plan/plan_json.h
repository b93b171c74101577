// Plans as ledgers, checkpoints and privacy.json have them.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "sotto/plan/plan.h"

namespace sotto {

// Everything that the cost of a step depends on; the length is not part of it.
nlohmann::json json_of(const Plan& plan);

// What json_of() gave, as a plan of this length. Throws InvalidArgument, naming what is missing or
// not accepted, and NoValidAnalysis as the constructor does.
Plan plan_from_json(const nlohmann::json& json, std::int64_t steps);

}  // namespace sotto
