// Gaussian differential privacy by the central limit theorem: an approximation, NOT a bound.
//
// It describes the limit of many small steps. At any finite number of steps the true ε may be
// larger: 6.77 where this says 6.60, 1.96 where it says 1.84. It is here for comparison with
// reports that use it, and every statement made from it says so.
#pragma once

#include "sotto/accounting/event.h"
#include "sotto/accounting/guarantee.h"

namespace sotto::accounting {

// μ of the limit: √Σ count·μ_j², with μ_j = q√(e^{1/σ²} - 1) for Poisson sampling (Bu et al. 2020)
// and 1/σ for full batches, where it is exact. Throws NoValidAnalysis for other events, and for
// sampling under replace-one or for groups.
double gdp_mu(const Composition& composition, const Neighbours& neighbours);

// ε(δ) and δ(ε) of a μ-GDP mechanism. REQUIRES: mu >= 0.
double gdp_epsilon(double mu, double delta);
double gdp_delta(double mu, double epsilon);

}  // namespace sotto::accounting
