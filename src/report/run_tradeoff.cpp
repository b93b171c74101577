#include "sotto/report/run_tradeoff.h"

#include "sotto/accounting/privacy_cost.h"

namespace sotto::report {

accounting::TradeoffCurve tradeoff_of(const RunRecord& run) {
  const accounting::EpsilonDelta pair{run.epsilon(), run.delta().value_or(0)};
  const auto plan = run.plan();
  if (!plan || !run.contradictions().empty()) return accounting::tradeoff_of_pair(pair);
  // Held-out records take part in no step: their release has another curve, which the pair covers.
  if (run.held_out_epsilon()) return accounting::tradeoff_of_pair(pair);
  const auto released = run.released();
  const auto cost = accounting::cost_at_delta(released, plan->neighbours(), pair.delta);
  // What the plan does not know of must not be forgotten.
  constexpr double kExplained = 0.999;
  if (cost.epsilon < kExplained * pair.epsilon) return accounting::tradeoff_of_pair(pair);
  return accounting::tradeoff_of(released, plan->neighbours());
}

}  // namespace sotto::report
