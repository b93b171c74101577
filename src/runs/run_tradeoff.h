// What a membership test can achieve against a finished run.
#pragma once

#include "runs/run_record.h"
#include "sotto/accounting/tradeoff_curve.h"

namespace sotto::runs {

// Whether a run releases, or may release, something about records that it held out.
enum class HeldOut { kNone, kSome };

// The curve of what was charged; that of the pair if it promises a larger ε than the charges
// explain, or covers held-out records. REQUIRES: promised.epsilon is finite.
accounting::TradeoffCurve tradeoff_of(const accounting::EpsilonDelta& promised, const Spend& spend,
                                      HeldOut held_out);

// The run's own curve, from its plan and the steps charged; that of its pair (ε, δ) if the run
// promises a larger ε than these explain, or if it released something about held-out records.
// REQUIRES: run.is_proved(), and its ε is finite.
accounting::TradeoffCurve tradeoff_of(const RunRecord& run);

}  // namespace sotto::runs
