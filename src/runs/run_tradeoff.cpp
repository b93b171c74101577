#include "runs/run_tradeoff.h"

namespace sotto::runs {

accounting::TradeoffCurve tradeoff_of(const RunRecord& run) {
  const accounting::EpsilonDelta pair{run.epsilon(), run.delta().value_or(0)};
  const auto plan = run.plan();
  if (!plan || !run.contradictions().empty()) return accounting::tradeoff_of_pair(pair);
  // Held-out records take part in no step: their release has another curve, which the pair covers.
  if (run.held_out_epsilon()) return accounting::tradeoff_of_pair(pair);
  const auto spend = run.spend();
  // What the plan does not know of must not be forgotten.
  constexpr double kExplained = 0.999;
  if (spend.cost_at_delta(pair.delta).epsilon < kExplained * pair.epsilon)
    return accounting::tradeoff_of_pair(pair);
  return accounting::tradeoff_of(spend.composition(), plan->neighbours());
}

}  // namespace sotto::runs
