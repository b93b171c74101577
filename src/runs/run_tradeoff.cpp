#include "runs/run_tradeoff.h"

namespace sotto::runs {

accounting::TradeoffCurve tradeoff_of(const accounting::EpsilonDelta& promised, const Spend& spend,
                                      HeldOut held_out) {
  // Held-out records take part in no step: their release has another curve, which the pair covers.
  if (held_out == HeldOut::kSome) return accounting::tradeoff_of_pair(promised);
  // What the plan does not know of must not be forgotten.
  constexpr double kExplained = 0.999;
  if (spend.cost_at_delta(promised.delta).epsilon < kExplained * promised.epsilon)
    return accounting::tradeoff_of_pair(promised);
  return accounting::tradeoff_of(spend.composition(), spend.plan.neighbours());
}

accounting::TradeoffCurve tradeoff_of(const RunRecord& run) {
  const accounting::EpsilonDelta pair{run.epsilon(), run.delta().value_or(0)};
  return tradeoff_of(pair, run.spend(), run.held_out_epsilon() ? HeldOut::kSome : HeldOut::kNone);
}

}  // namespace sotto::runs
