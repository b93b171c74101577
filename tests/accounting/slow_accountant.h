// A second accountant, slow and independent: 50 digits, no lattice, no transform of ours.
#pragma once

#include <cstdint>

namespace sotto::accounting {

enum class Direction {
  kRemove,  // (1-q) N(0) + q N(1/σ) against N(0)
  kAdd,     // the other way round
};

struct SlowRun {
  double sample_rate;
  double noise_multiplier;
  std::int64_t steps;
};

// δ(ε) of Poisson-sampled Gaussian steps in one direction, by inversion of the moment generating
// function of the privacy loss L (Bromwich's integral; Alghamdi et al., arXiv:2208.09595, Section
// 3):
//   δ(ε) = 1/(2πi) ∫ e^{-sε} M(s)^T / (s (s + 1)) ds,  Re s = λ > 0,  M(s) = E[e^{sL}],
// where M is itself an integral over the noise. Both are trapezoidal sums of analytic functions,
// which converge exponentially; steps are made finer until two answers agree to 1e-13. Throws
// std::runtime_error if they never do.
double slow_delta(const SlowRun& run, double epsilon, Direction direction);

// The larger of both directions.
double slow_delta(const SlowRun& run, double epsilon);

}  // namespace sotto::accounting
