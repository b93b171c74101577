// The reverse question: what a given (ε, δ) allows.
#pragma once

#include <cstdint>
#include <functional>

#include "sotto/accounting/epsilon_delta.h"
#include "sotto/accounting/event.h"
#include "sotto/accounting/neighbours.h"
#include "sotto/accounting/privacy_cost.h"

namespace sotto::accounting {

// The smallest noise multiplier, to six significant digits and rounded up, whose run costs at most
// the target. The run must cost less the more noise it has. Throws InvalidArgument if no multiplier
// up to 1e6 is enough.
double smallest_noise_multiplier(const EpsilonDelta& target, const Neighbours& neighbours,
                                 const std::function<Composition(double)>& run_with_noise,
                                 const AccountingOptions& options = {});

// The largest n in [1, limit] such that n rounds (steps, or epochs) cost at most the target; 0 if
// even one costs more.
std::int64_t most_rounds(const EpsilonDelta& target, const Neighbours& neighbours,
                         const std::function<Composition(std::int64_t)>& run_of_length,
                         std::int64_t limit, const AccountingOptions& options = {});

}  // namespace sotto::accounting
