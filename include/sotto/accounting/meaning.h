// What a guarantee means for one person.
#pragma once

#include <array>

#include "sotto/accounting/tradeoff_curve.h"

namespace sotto::accounting {

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
