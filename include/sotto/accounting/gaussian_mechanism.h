// The Gaussian mechanism on its own: sum of sensitivity 1 plus N(0, sigma²).
#pragma once

#include "sotto/accounting/epsilon_delta.h"

namespace sotto::accounting {

// Exact δ(ε) (Balle and Wang 2018, Theorem 8), in logs: right where e^ε overflows and where δ
// underflows. For any real ε. ln δ is -infinity only for sigma = infinity.
double gaussian_log_delta(double sigma, double epsilon);
double gaussian_delta(double sigma, double epsilon);

// Below this sigma, gaussian_epsilon returns the Rényi bound, at most a relative 1e-4 larger.
inline constexpr double kSmallestExactSigma = 1e-5;

// Smallest ε >= 0 at this δ, rounded up. REQUIRES: sigma > 0, 0 < delta < 1.
double gaussian_epsilon(double sigma, double delta);

// Smallest sigma for the target, rounded up. REQUIRES: epsilon > 0, 0 < delta < 1.
double gaussian_sigma(const EpsilonDelta& target);

// √(2 ln(1.25/δ))/ε, the textbook formula. Throws NoValidAnalysis for ε > 1, where its proof does
// not hold. Never smaller than gaussian_sigma.
double classic_gaussian_sigma(const EpsilonDelta& target);

}  // namespace sotto::accounting
