// The two numbers of a privacy guarantee, and an interval that one of them lies in.
#pragma once

#include "sotto/core/error.h"

namespace sotto::accounting {

struct EpsilonDelta {
  double epsilon;
  double delta;
};

// Throws InvalidArgument unless epsilon >= 0 and 0 <= delta <= 1.
inline void check_guarantee(const EpsilonDelta& guarantee) {
  check_argument(guarantee.epsilon >= 0, "epsilon must be at least 0, got ", guarantee.epsilon);
  check_argument(guarantee.delta >= 0 && guarantee.delta <= 1, "delta must be in [0, 1], got ",
                 guarantee.delta);
}

// The exact value lies in [lower, upper]. `upper` is what may be promised. docs/numerics.md says
// what is proved about both ends.
struct Enclosure {
  double lower;
  double upper;

  double relative_width() const { return upper > 0 ? (upper - lower) / upper : 0; }
};

}  // namespace sotto::accounting
