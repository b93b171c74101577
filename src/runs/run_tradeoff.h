// What a membership test can achieve against a finished run.
#pragma once

#include "runs/run_record.h"
#include "sotto/accounting/tradeoff_curve.h"

namespace sotto::runs {

// The run's own curve, from its plan and the steps charged; that of its pair (ε, δ) if the run
// promises a larger ε than these explain, if it released something about held-out records, or if
// its files contradict each other. REQUIRES: run.is_private(), and its ε is finite.
accounting::TradeoffCurve tradeoff_of(const RunRecord& run);

}  // namespace sotto::runs
