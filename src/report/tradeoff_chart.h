// Members caught against outsiders accused, as a picture.
#pragma once

#include <optional>

#include "report/line_chart.h"
#include "sotto/accounting/tradeoff_curve.h"

namespace sotto::report {

// The curve, what the pair (ε, δ) alone would allow if it is given as well, and guessing; both axes
// logarithmic, with marks at 0.1 %, 1 % and 10 % of false accusations.
LineChart tradeoff_chart(const accounting::TradeoffCurve& curve,
                         const std::optional<accounting::TradeoffCurve>& pair = std::nullopt,
                         Theme theme = Theme::kLight);

}  // namespace sotto::report
