// How many configurations a sweep tries, when that is left to chance: what makes choosing the best
// of them cheap (Papernot and Steinke 2022).
#pragma once

#include <cstdint>
#include <string_view>

#include "sotto/accounting/accountants.h"
#include "sotto/core/random.h"

namespace sotto::sweep {

enum class RunsDistribution { kGeometric, kLogarithmic, kPoisson };

// "geometric", "logarithmic" or "poisson".
std::string_view to_string(RunsDistribution distribution);
// Throws InvalidArgument, naming the accepted spellings, for any other text.
RunsDistribution runs_distribution_from_name(std::string_view text);

// A number of configurations to be drawn.
class RandomCount {
 public:
  // Throws InvalidArgument unless 1.1 <= mean <= 1000.
  RandomCount(RunsDistribution distribution, double mean);

  RunsDistribution distribution() const { return distribution_; }
  double mean() const { return mean_; }

  // At least 1; with the Poisson distribution it may be 0.
  std::int64_t draw(RandomSource& random) const;

  // ε of publishing the best of so many, and nothing else, if each costs what `one` says.
  accounting::RdpEpsilon cost_of_best(const accounting::RdpAccountant& one, double delta) const;

 private:
  RunsDistribution distribution_;
  double mean_;
};

}  // namespace sotto::sweep
