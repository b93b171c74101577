// What training by a plan has released so far: the one place that says so.
#pragma once

#include <cstdint>

#include "sotto/accounting/event.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/plan/plan.h"

namespace sotto {

struct Spend {
  Plan plan;
  std::int64_t steps = 0;  // charged
  // For thresholds, charged, repeated ones too. Those that go with the steps are counted even if
  // this is less.
  std::int64_t searches = 0;

  // Searches beyond those that go with the steps: after an interruption.
  std::int64_t repeated_searches() const;

  // Batches that may have had too few places, each with probability kOverflow at most.
  std::int64_t filled_batches() const;

  // Steps, searches and the plan's one-time releases, to be priced under the plan's own relation
  // or another; a shuffled pass that was begun counts in full. Throws NoValidAnalysis if sampling
  // or searches and the neighbours do not go together.
  accounting::Composition composition() const { return composition(plan.neighbours()); }
  accounting::Composition composition(const accounting::Neighbours& neighbours) const;

  // Under the plan's relation, if the noise was secret.
  accounting::PrivacyCost cost_at_delta(double delta,
                                        const accounting::AccountingOptions& options = {}) const;
};

}  // namespace sotto
