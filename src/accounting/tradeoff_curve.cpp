#include "sotto/accounting/tradeoff_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sotto::accounting {

namespace {

// Covers the rounding of the few operations below.
constexpr double kRatesRoundUp = 1 + 8 * std::numeric_limits<double>::epsilon();

// Where both lines meet, at true-positive rate = 1 - false-positive rate: (e^ε - 1 + 2δ)/(e^ε + 1),
// as tanh(ε/2) + 2δ/(e^ε + 1), which does not overflow.
double advantage_of(const EpsilonDelta& guarantee) {
  return std::tanh(guarantee.epsilon / 2) + 2 * guarantee.delta / (std::exp(guarantee.epsilon) + 1);
}

}  // namespace

TradeoffCurve::TradeoffCurve(std::vector<EpsilonDelta> guarantees)
    : guarantees_(std::move(guarantees)) {
  for (const auto& guarantee : guarantees_) {
    check_guarantee(guarantee);
    const double rarer = std::exp(-guarantee.epsilon);
    lines_.push_back({std::exp(guarantee.epsilon), guarantee.delta});
    // 1 - e^-ε (1 - δ), without loss of digits where both are small.
    lines_.push_back({rarer, -std::expm1(-guarantee.epsilon) + rarer * guarantee.delta});
  }
}

double TradeoffCurve::true_positive_rate(double false_positive_rate) const {
  check_argument(false_positive_rate >= 0 && false_positive_rate <= 1,
                 "false-positive rate must be in [0, 1], got ", false_positive_rate);
  double least = 1;
  for (const auto& [slope, at_zero] : lines_) {
    // A slope may be infinite, and 0 times that is 0 here.
    const double rise = false_positive_rate > 0 ? slope * false_positive_rate : 0;
    least = std::min(least, at_zero + rise);
  }
  return std::clamp(kRatesRoundUp * least, false_positive_rate, 1.0);
}

// The curve is its own mirror image in the line true-positive rate = 1 - false-positive rate, so
// the difference is largest there, for each guarantee and for all together.
double TradeoffCurve::advantage() const {
  double least = 1;
  for (const auto& guarantee : guarantees_) least = std::min(least, advantage_of(guarantee));
  return std::min(kRatesRoundUp * least, 1.0);
}

TradeoffCurve tradeoff_of_pair(const EpsilonDelta& guarantee) { return TradeoffCurve({guarantee}); }

TradeoffCurve tradeoff_of(const Composition& composition, const Neighbours& neighbours,
                          const PldOptions& options) {
  return TradeoffCurve(PldAccountant(composition, neighbours, options).curve());
}

}  // namespace sotto::accounting
