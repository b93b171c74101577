// The cost of tuning in plain words.
#pragma once

#include <string>

#include "sweep/tuning_cost.h"

namespace sotto::sweep {

// What the bound rests on.
std::string theorem_of(const TunedRuns& runs, TuningBasis basis);

// `touched`: how many runs have used the training data.
std::string bounded_statement(const TunedRuns& runs, const TuningCost& cost, std::size_t touched);

// `run`: which one has no finite ε, "" if it is not a single one's fault.
std::string unbounded_statement(const TunedRuns& runs, const std::string& run,
                                const std::string& why);

}  // namespace sotto::sweep
