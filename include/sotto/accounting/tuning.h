// What it costs to have tried several configurations and kept the best.
#pragma once

#include <cstdint>

#include "sotto/accounting/accountants.h"
#include "sotto/accounting/event.h"

namespace sotto::accounting {

// A fixed number of runs, all of which are paid for, as if every result were published. Always
// valid, whatever is done with the results.
Composition tuned_by_fixed_runs(const Composition& one_run, std::int64_t runs);

// The number of runs is drawn at random from a truncated negative binomial distribution, and only
// the best result is published (Papernot and Steinke 2022, Theorem 2). The number drawn stays
// secret and must not be chosen or repeated in view of the results.
class RandomNumberOfRuns {
 public:
  // Geometric (shape 1) with this mean. Throws InvalidArgument unless mean > 1.
  static RandomNumberOfRuns geometric(double mean);
  // Logarithmic (shape 0) with this mean, or a little less. Throws InvalidArgument unless
  // 1.0001 <= mean <= 1e9.
  static RandomNumberOfRuns logarithmic(double mean);
  // shape η > -1 and success probability γ in (0, 1).
  RandomNumberOfRuns(double shape, double success_probability);

  double shape() const { return shape_; }
  double success_probability() const { return success_probability_; }
  double mean() const;

 private:
  double shape_;
  double success_probability_;
};

// ε of the published best result. `one_run` prices each single run.
RdpEpsilon tuned_by_random_runs(const RdpAccountant& one_run, const RandomNumberOfRuns& runs,
                                double delta, Conversion conversion = Conversion::kImproved);

// The same with a number of runs drawn from the Poisson distribution with this mean > 0 (Papernot
// and Steinke 2022, Theorem 6, with the case of no run at all counted). After no run nothing that
// depends on the data may be published.
RdpEpsilon tuned_by_poisson_runs(const RdpAccountant& one_run, double mean, double delta,
                                 Conversion conversion = Conversion::kImproved);

}  // namespace sotto::accounting
