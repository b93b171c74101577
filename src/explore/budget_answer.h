// What the planned run costs, and what that means: the page's headline.
#pragma once

#include <nlohmann/json.hpp>

#include "explore/precision.h"
#include "explore/settings.h"

namespace sotto::explore {

// An object:
//   epsilon        the upper bound; "Infinity" where there is none
//   epsilon_text   the same for the reader, rounded up: "3.002", or "no bound"
//   epsilon_lower  a bound from below; null where there is none
//   certified      one sentence on both
//   within_target  whether epsilon is at most the target
//   delta, steps, length, sample_rate, accountant, precision
//   statement      promise, protects, sampling, noise
//   warnings       texts, most serious first
//   meaning        as report::meaning_json; null if there is no bound
//   train          a command line that trains so
nlohmann::ordered_json budget_answer(const Settings& settings, Precision precision);

}  // namespace sotto::explore
