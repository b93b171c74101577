#include "sotto/accounting/tradeoff_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sotto::accounting {

namespace {

// Covers the rounding of the few operations below.
constexpr double kRoundUp = 1 + 8 * std::numeric_limits<double>::epsilon();

double by_accusation(const EpsilonDelta& guarantee, double false_positive_rate) {
  // e^ε may be infinite, and 0 times that is 0 here.
  if (false_positive_rate == 0) return guarantee.delta;
  return std::exp(guarantee.epsilon) * false_positive_rate + guarantee.delta;
}

double by_acquittal(const EpsilonDelta& guarantee, double false_positive_rate) {
  return 1 - std::exp(-guarantee.epsilon) * (1 - false_positive_rate - guarantee.delta);
}

// Where both lines meet, at true-positive rate = 1 - false-positive rate: (e^ε - 1 + 2δ)/(e^ε + 1),
// as tanh(ε/2) + 2δ/(e^ε + 1), which does not overflow.
double advantage_of(const EpsilonDelta& guarantee) {
  return std::tanh(guarantee.epsilon / 2) + 2 * guarantee.delta / (std::exp(guarantee.epsilon) + 1);
}

}  // namespace

TradeoffCurve::TradeoffCurve(std::vector<EpsilonDelta> guarantees)
    : guarantees_(std::move(guarantees)) {
  for (const auto& guarantee : guarantees_) check_guarantee(guarantee);
}

double TradeoffCurve::true_positive_rate(double false_positive_rate) const {
  check_argument(false_positive_rate >= 0 && false_positive_rate <= 1,
                 "false-positive rate must be in [0, 1], got ", false_positive_rate);
  double least = 1;
  for (const auto& guarantee : guarantees_) {
    least = std::min({least, by_accusation(guarantee, false_positive_rate),
                      by_acquittal(guarantee, false_positive_rate)});
  }
  return std::clamp(kRoundUp * least, false_positive_rate, 1.0);
}

// The curve is its own mirror image in the line true-positive rate = 1 - false-positive rate, so
// the difference is largest there, for each guarantee and for all together.
double TradeoffCurve::advantage() const {
  double least = 1;
  for (const auto& guarantee : guarantees_) least = std::min(least, advantage_of(guarantee));
  return std::min(kRoundUp * least, 1.0);
}

TradeoffCurve tradeoff_of_pair(const EpsilonDelta& guarantee) { return TradeoffCurve({guarantee}); }

TradeoffCurve tradeoff_of(const Composition& composition, const Neighbours& neighbours,
                          const PldOptions& options) {
  return TradeoffCurve(PldAccountant(composition, neighbours, options).curve());
}

}  // namespace sotto::accounting
