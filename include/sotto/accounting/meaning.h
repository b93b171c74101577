// What an (ε, δ) guarantee means for one person.
#pragma once

#include "sotto/accounting/epsilon_delta.h"

namespace sotto::accounting {

// Bounds on what an adversary may believe after the release, of someone being in the data (or
// having a certain value), who believed it with probability `prior` before.
struct BeliefBounds {
  double prior;
  double lowest;
  double highest;
};

// p/(p + e^ε(1-p)) and p/(p + e^{-ε}(1-p)): Bayes' rule with a likelihood ratio in [e^-ε, e^ε].
// Exact for δ = 0; with δ > 0 it holds except for outcomes of probability about δ.
// REQUIRES: 0 <= prior <= 1, epsilon >= 0.
BeliefBounds belief_after_release(double epsilon, double prior);

// The most that any membership test can reach at this false-positive rate:
// min(δ + e^ε FPR, 1 - e^-ε (1 - δ - FPR)) (Kairouz, Oh, Viswanath 2015).
double best_true_positive_rate(const EpsilonDelta& guarantee, double false_positive_rate);

// The most that true-positive minus false-positive rate can be, over all tests:
// (e^ε - 1 + 2δ)/(e^ε + 1).
double best_membership_advantage(const EpsilonDelta& guarantee);

}  // namespace sotto::accounting
