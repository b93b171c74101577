// The two numbers of a privacy guarantee, and a certified interval for the first.
#pragma once

namespace sotto::accounting {

struct EpsilonDelta {
  double epsilon;
  double delta;
};

// The true value lies in [lower, upper]. `upper` is what may be promised.
struct CertifiedInterval {
  double lower;
  double upper;

  double relative_width() const { return upper > 0 ? (upper - lower) / upper : 0; }
};

}  // namespace sotto::accounting
