// How many steps the target pays for.
#pragma once

#include <cstdint>
#include <optional>

#include "sotto/accounting/guarantee.h"
#include "sotto/plan/plan.h"

namespace sotto {

// Without a target: all of the plan's. The answer takes a search over the accountant's, so it is
// kept until searches for thresholds have to be paid for again.
class StepLimit {
 public:
  // The plan must outlive it.
  StepLimit(const Plan& plan, const std::optional<accounting::EpsilonDelta>& target);

  std::int64_t steps() const { return limit_; }

  // So many searches are charged before step number `steps` (counted from 0). Those that an
  // interruption made necessary again leave less for steps.
  void pay_for_searches(std::int64_t searches, std::int64_t steps);

 private:
  std::int64_t affordable_steps(std::int64_t repeated_searches) const;

  const Plan& plan_;
  std::optional<accounting::EpsilonDelta> target_;
  std::int64_t limit_;
  std::int64_t repeated_searches_ = 0;  // that the limit allows for
};

}  // namespace sotto
