#include "engine/step_limit.h"

#include "sotto/accounting/budget.h"

namespace sotto {

StepLimit::StepLimit(const Plan& plan, const std::optional<accounting::EpsilonDelta>& target)
    : plan_(plan), target_(target), limit_(affordable_steps(0)) {}

void StepLimit::pay_for_searches(std::int64_t searches, std::int64_t steps) {
  const auto repeated = searches - plan_.threshold_searches(steps + 1);
  if (repeated <= 0 || repeated == repeated_searches_) return;
  limit_ = affordable_steps(repeated);
  repeated_searches_ = repeated;
}

std::int64_t StepLimit::affordable_steps(std::int64_t repeated_searches) const {
  if (!target_) return plan_.steps();
  return accounting::most_rounds(
      *target_, plan_.neighbours(),
      [&](std::int64_t steps) { return plan_.composition(steps, repeated_searches); },
      plan_.steps());
}

}  // namespace sotto
