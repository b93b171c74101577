#include "sotto/accounting/tradeoff_curve.h"

#include "sotto/core/error.h"

namespace sotto::accounting {

BeliefBounds belief_after_verdict(const TradeoffCurve& curve, double prior, double rate) {
  check_argument(prior >= 0 && prior <= 1, "prior must be in [0, 1], got ", prior);
  check_argument(rate > 0 && rate <= 1, "rate must be in (0, 1], got ", rate);
  // TPR/rate decreases in rate, since TPR is concave: more frequent verdicts say less.
  const double caught = curve.true_positive_rate(rate);
  return {prior, prior * rate / (prior * rate + (1 - prior) * caught),
          prior * caught / (prior * caught + (1 - prior) * rate)};
}

}  // namespace sotto::accounting
