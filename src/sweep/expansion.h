// From flags with several values to configurations with one each.
#pragma once

#include <vector>

#include "sweep/sweep_plan.h"

namespace sotto::sweep {

// As SweepPlan says. REQUIRES: check_settings(settings) passes. Throws InvalidArgument if there are
// more than 100000 runs, or fewer combinations than samples.
std::vector<Configuration> expanded(const SweepSettings& settings);

// What a draw may choose: every combination, where a range stands for its ends and a number inside;
// if these are more than 10000, each value of every flag with the first of the others. REQUIRES:
// check_settings(settings) passes.
std::vector<Configuration> drawable(const SweepSettings& settings);

// Every combination of what decides the use of flags (decides_use()), with one value of each other
// flag, a switch being on if it ever is. Empty if these are more than 10000. REQUIRES:
// check_settings(settings) passes.
std::vector<Configuration> deciding_combinations(const SweepSettings& settings);

}  // namespace sotto::sweep
