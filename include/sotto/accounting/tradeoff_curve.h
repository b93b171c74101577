// How well anyone can tell members from outsiders: a bound for every rate of false accusations.
#pragma once

#include <vector>

#include "sotto/accounting/epsilon_delta.h"
#include "sotto/accounting/event.h"
#include "sotto/accounting/neighbours.h"
#include "sotto/accounting/pld_accountant.h"

namespace sotto::accounting {

// An upper bound on the share of members that a membership test catches (true-positive rate), given
// the share of outsiders it wrongly accuses (false-positive rate). It is the smallest that follows
// from guarantees (ε, δ) which all hold at once: with P(S) the probability that a member is accused
// and Q(S) that an outsider is, (ε, δ) in both directions says
//   P(S) <= e^ε Q(S) + δ   and   1 - Q(S) <= e^ε (1 - P(S)) + δ
// (Kairouz, Oh, Viswanath 2015; for all ε at once: Dong, Roth, Su 2019, Proposition 2.12). As the
// minimum of straight lines it is concave; it never decreases and never lies below guessing.
class TradeoffCurve {
 public:
  // No guarantee at all leaves the bound 1. Throws InvalidArgument unless each has epsilon >= 0 and
  // 0 <= delta <= 1.
  explicit TradeoffCurve(std::vector<EpsilonDelta> guarantees);

  // Throws InvalidArgument unless 0 <= false_positive_rate <= 1.
  double true_positive_rate(double false_positive_rate) const;
  // The most that true-positive minus false-positive rate can be; with δ(0) known it is at most
  // that (the total variation distance).
  double advantage() const;

  // True if it rests on one pair (ε, δ), which a run's own curve is far better than.
  bool is_of_one_pair() const { return guarantees_.size() == 1; }

 private:
  struct Line {
    double slope;
    double at_zero;
  };
  std::vector<EpsilonDelta> guarantees_;
  std::vector<Line> lines_;  // two for each
};

// What is known if nothing but (ε, δ) is known.
TradeoffCurve tradeoff_of_pair(const EpsilonDelta& guarantee);

// From the composition's own privacy-loss distribution: many (ε, δ(ε)), δ from above, of which one
// transform per direction gives all. Throws NoValidAnalysis as PldAccountant does. A shorter
// transform gives a bound that is valid, but larger.
TradeoffCurve tradeoff_of(const Composition& composition, const Neighbours& neighbours,
                          const PldOptions& options = {});

}  // namespace sotto::accounting
