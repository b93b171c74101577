#include "sotto/accounting/meaning.h"

#include <algorithm>
#include <cmath>

#include "sotto/core/error.h"

namespace sotto::accounting {

BeliefBounds belief_after_release(double epsilon, double prior) {
  check_argument(epsilon >= 0, "epsilon must be at least 0, got ", epsilon);
  check_argument(prior >= 0 && prior <= 1, "prior must be in [0, 1], got ", prior);
  if (prior == 0 || prior == 1) return {prior, prior, prior};
  const double odds_against = (1 - prior) / prior;
  // 1/(1 + odds e^{±ε}); infinite ε gives 0 and 1.
  return {prior, 1 / (1 + odds_against * std::exp(epsilon)),
          1 / (1 + odds_against * std::exp(-epsilon))};
}

double best_true_positive_rate(const EpsilonDelta& guarantee, double false_positive_rate) {
  check_guarantee(guarantee);
  check_argument(false_positive_rate >= 0 && false_positive_rate <= 1,
                 "false-positive rate must be in [0, 1], got ", false_positive_rate);
  const double by_acceptance =
      guarantee.delta +
      (false_positive_rate > 0 ? std::exp(guarantee.epsilon) * false_positive_rate : 0);
  const double by_rejection =
      1 - std::exp(-guarantee.epsilon) * (1 - guarantee.delta - false_positive_rate);
  return std::clamp(std::min(by_acceptance, by_rejection), 0.0, 1.0);
}

double best_membership_advantage(const EpsilonDelta& guarantee) {
  check_guarantee(guarantee);
  // tanh(ε/2) + 2δ/(e^ε + 1), which does not overflow.
  return std::min(
      std::tanh(guarantee.epsilon / 2) + 2 * guarantee.delta / (std::exp(guarantee.epsilon) + 1),
      1.0);
}

}  // namespace sotto::accounting
