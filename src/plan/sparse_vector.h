// A threshold found by asking many questions and paying for one.
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/core/random.h"

namespace sotto {

// The first of `candidates` (increasing) that at most about `most_above` of `norms` exceed; the
// last one if none is. (epsilon, 0)-differentially private with respect to adding or removing one
// norm: AboveThreshold (Dwork and Roth 2014, Algorithm 1 and Theorem 3.23) on the negated counts,
// which one norm moves by at most 1 each, with noise of scale 2/ε on the threshold and 4/ε on every
// count. The noise is discrete: counts are whole numbers, and the theorem's proof, which shifts the
// noise by 1 and by 2, holds for sums as it does for integrals. A norm that is not a number exceeds
// nothing. Throws InvalidArgument unless there are candidates and epsilon is positive.
double sparse_vector_threshold(const std::vector<double>& norms,
                               const std::vector<double>& candidates, std::int64_t most_above,
                               double epsilon, RandomSource& random);

// 20 a decade, over the three decades up to `largest`.
std::vector<double> threshold_candidates(double largest);

}  // namespace sotto
