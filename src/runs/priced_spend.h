// What a run was charged, priced once.
#pragma once

#include "sotto/accounting/privacy_cost.h"
#include "sotto/plan/plan.h"

namespace sotto::runs {

// Spend::cost_at_delta(), as computed before for the same plan, steps, searches and δ where that is
// remembered. Pricing takes some 20 ms, and the runs of a sweep have few plans. For several threads
// at once. Throws as Spend::cost_at_delta() does.
accounting::PrivacyCost priced(const Spend& spend, double delta);

}  // namespace sotto::runs
