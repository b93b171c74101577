// What a guarantee means for one person, for programs to read.
#pragma once

#include <array>
#include <nlohmann/json.hpp>

#include "sotto/accounting/tradeoff_curve.h"

namespace sotto::report {

// Beliefs before the release, and shares of wrongly accused outsiders, that tables of meanings use.
inline constexpr std::array kPriors = {0.01, 0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99};
inline constexpr std::array kFalsePositiveRates = {0.0001, 0.001, 0.01, 0.1, 0.5};
using accounting::kVerdictRate;

// An object: epsilon, delta, odds_factor ("Infinity" if it is), curve ("run" or "pair": what the
// rest is computed from), verdict_rate, beliefs, membership_tests, membership_advantage.
// REQUIRES: 0 <= epsilon, finite; 0 <= delta < 1.
nlohmann::ordered_json meaning_json(const accounting::EpsilonDelta& guarantee,
                                    const accounting::TradeoffCurve& curve);

}  // namespace sotto::report
