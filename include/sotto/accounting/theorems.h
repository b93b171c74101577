// What theorems say of (ε, δ) without an accountant: one Gaussian release, and composition,
// sampling and groups of mechanisms of which nothing else is known.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sotto/accounting/guarantee.h"

namespace sotto::accounting {

// gaussian_*: the Gaussian mechanism on its own, a sum of sensitivity 1 plus N(0, sigma²).

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

// From here on: mechanisms of which only (ε, δ) is known.

// One after another: ε and δ add up (Dwork et al. 2006).
EpsilonDelta basic_composition(std::span<const EpsilonDelta> parts);

// On disjoint parts of the data: the worst part counts (McSherry 2009). Under replace-one a record
// may move from one part to another, so there the two worst parts add up; this is for add/remove.
EpsilonDelta parallel_composition(std::span<const EpsilonDelta> parts);

// k times the same, with `slack` added to δ: ε√(2k ln(1/slack)) + kε(e^ε - 1), kδ + slack (Dwork,
// Rothblum, Vadhan 2010). The smaller of this and basic composition in ε is not taken here.
EpsilonDelta advanced_composition(const EpsilonDelta& each, std::int64_t count, double slack);

// k times the same, optimally: the smallest ε' = (k-2i)ε with total δ at most `total_delta`
// (Kairouz, Oh, Viswanath 2015, Theorem 3.3), in logs, so εk may exceed 709. Nothing if even
// ε' = kε needs more δ. Between these values of ε', BlackBoxEvent and PldAccountant are tight.
std::optional<double> optimal_composition(const EpsilonDelta& each, std::int64_t count,
                                          double total_delta);

// Run on a random part of the data that has each record with probability `sample_rate`:
// (ln(1 + q(e^ε - 1)), qδ). Holds for Poisson sampling under add/remove and for fixed-size sampling
// without replacement under replace-one (Balle, Barthe, Gaboardi 2018).
EpsilonDelta amplified_by_sampling(const EpsilonDelta& mechanism, double sample_rate);

// For k records of one person instead of one: (kε, δ(e^{kε}-1)/(e^ε-1)) (Vadhan 2017, Lemma 2.2). δ
// is clamped to 1. For Gaussian noise, Neighbours with a group size is much tighter.
EpsilonDelta for_group(const EpsilonDelta& one_record, int group_size);

}  // namespace sotto::accounting
