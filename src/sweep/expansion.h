// From flags with several values to configurations with one each.
#pragma once

#include <vector>

#include "sweep/sweep_plan.h"

namespace sotto::sweep {

// As SweepPlan says. REQUIRES: check_settings(settings) passes. Throws InvalidArgument if there are
// more than 100000 runs, or fewer combinations than samples.
std::vector<Configuration> expanded(const SweepSettings& settings);

}  // namespace sotto::sweep
