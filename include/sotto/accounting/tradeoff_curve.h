// What a guarantee means for one person: how well anyone can tell members from outsiders, a bound
// for every rate of false accusations, and what they may then believe.
#pragma once

#include <array>
#include <vector>

#include "sotto/accounting/accountants.h"
#include "sotto/accounting/event.h"
#include "sotto/accounting/guarantee.h"

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
  std::vector<Line> lines_;  // two per guarantee
};

// What is known if nothing but (ε, δ) is known.
TradeoffCurve tradeoff_of_pair(const EpsilonDelta& guarantee);

// From the composition's own privacy-loss distribution: many (ε, δ(ε)), δ from above, of which one
// transform per direction gives all. Throws NoValidAnalysis as PldAccountant does. A shorter
// transform gives a bound that is valid, but larger.
TradeoffCurve tradeoff_of(const Composition& composition, const Neighbours& neighbours,
                          const PldOptions& options = {});

// Bounds on what an adversary may believe afterwards, of someone being in the data (or having a
// certain value), who believed it with probability `prior` before.
struct BeliefBounds {
  double prior;
  double lowest;
  double highest;
};

// Statements about beliefs are about verdicts at least as frequent as this among those they are
// wrong about; where there is room for few, they begin with these.
inline constexpr double kVerdictRate = 0.01;
inline constexpr std::array kFewPriors = {0.01, 0.10, 0.50};

// After the verdict of any test, where the verdict is one that is not rarer than `rate`: at least
// this share of those about whom the opposite is true get it as well. By Bayes' rule an accusation
// of that kind raises the odds by at most TPR(rate)/rate, and a verdict of innocence lowers them by
// as much. For δ = 0 and rates below 1/(1 + e^ε) the factor is e^ε. For δ > 0 there is no bound for
// every single outcome: the rarer a verdict, the more it may say.
// REQUIRES: 0 <= prior <= 1, 0 < rate <= 1.
BeliefBounds belief_after_verdict(const TradeoffCurve& curve, double prior, double rate);

}  // namespace sotto::accounting
