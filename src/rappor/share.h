// Shares as people are told them.
#pragma once

#include <algorithm>

namespace sotto::rappor {

// The share nearest to an estimate, or to an end of its interval: nothing else can be true. An
// unbiased estimate may be below 0 or above 1.
inline double possible_share(double estimate) { return std::clamp(estimate, 0.0, 1.0) + 0.0; }

}  // namespace sotto::rappor
