#include "report/axis.h"

#include <algorithm>
#include <cmath>

#include "sotto/core/error.h"
#include "sotto/report/number_text.h"

namespace sotto::report {
namespace {

// A logarithmic axis over less than this factor has the ticks of a linear one.
constexpr double kShortFactor = 5;
constexpr double kDecadesWithTwoAndFive = 3;
constexpr double kMostLabelledDecades = 8;
constexpr double kRounding = 1e-9;

Range usable(const Range& range, Scale scale) {
  const bool log = scale == Scale::kLog;
  if (range.empty()) return log ? Range{1, 10} : Range{0, 1};
  check_argument(!log || range.low > 0, "a logarithmic axis begins above 0, got ", range.low);
  // Closer together than this they are one number: ticks between them would be lost in rounding.
  if (range.high - range.low > kRounding * std::abs(range.high)) return range;
  if (log) return {range.low / 2, range.high * 2};
  const double room = std::max(0.5, std::abs(range.low) / 10);
  return {range.low - room, range.high + room};
}

// 1, 2 or 5 times a power of ten, for about five ticks.
double round_step(const Range& range) {
  const double rough = (range.high - range.low) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

// 1, 2 or 5 times a power of ten: the largest not above the value.
double round_below(double value) {
  const double power = std::pow(10, std::floor(std::log10(value) + kRounding));
  for (const double factor : {5.0, 2.0}) {
    if (factor * power <= value * (1 + kRounding)) return factor * power;
  }
  return power;
}

// Likewise, the least not below.
double round_above(double value) {
  const double power = std::pow(10, std::floor(std::log10(value) + kRounding));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= value * (1 - kRounding)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

void Range::include(double value) {
  check_argument(std::isfinite(value), "a chart's values must be finite, got ", value);
  low = std::min(low, value);
  high = std::max(high, value);
}

Axis::Axis(const Range& range, Scale scale, bool percent) : scale_(scale) {
  const Range used = usable(range, scale);
  if (scale == Scale::kLog && used.high / used.low > kShortFactor) {
    low_ = std::min(round_below(used.low), used.low);
    high_ = std::max(round_above(used.high), used.high);
    lay_log_ticks();
    return;
  }
  const double step = round_step(used);
  low_ = std::min(std::floor(used.low / step + kRounding) * step, used.low);
  high_ = std::max(std::ceil(used.high / step - kRounding) * step, used.high);
  if (scale == Scale::kLog && low_ <= 0) low_ = used.low;
  lay_linear_ticks(step, percent);
}

Axis Axis::of_names(const std::vector<std::string>& names, std::size_t count) {
  constexpr std::size_t kMostNames = 10;
  Axis axis;
  axis.low_ = -0.5;
  axis.high_ = static_cast<double>(count) - 0.5;
  const std::size_t every = std::max<std::size_t>(1, (names.size() + kMostNames - 1) / kMostNames);
  for (std::size_t i = 0; i < std::min(names.size(), count); i += every) {
    axis.ticks_.push_back({static_cast<double>(i), names[i]});
  }
  return axis;
}

bool Axis::can_show(double value) const {
  return std::isfinite(value) && (scale_ == Scale::kLinear || value > 0);
}

double Axis::share(double value) const {
  if (scale_ == Scale::kLinear) return (value - low_) / (high_ - low_);
  return std::log(value / low_) / std::log(high_ / low_);
}

double Axis::value_at(double share) const {
  if (scale_ == Scale::kLinear) return std::lerp(low_, high_, share);
  return low_ * std::pow(high_ / low_, share);
}

void Axis::lay_linear_ticks(double step, bool percent) {
  const double first = std::ceil(low_ / step - kRounding);
  for (double i = first; i * step <= high_ + step * kRounding; ++i) {
    const double value = std::clamp(i * step, low_, high_);
    ticks_.push_back({i == 0 ? 0 : value, tick_text(i * step, step, percent)});
  }
}

void Axis::lay_log_ticks() {
  const double decades = std::log10(high_ / low_);
  const int every = std::max(1, static_cast<int>(std::ceil(decades / kMostLabelledDecades)));
  const int first = static_cast<int>(std::floor(std::log10(low_) + kRounding));
  const int last = static_cast<int>(std::ceil(std::log10(high_) - kRounding));
  for (int decade = first; decade <= last; ++decade) {
    for (int digit = 1; digit <= 9; ++digit) {
      if (digit > 1 && every > 1) break;
      const double value = digit * std::pow(10, decade);
      if (value < low_ * (1 - kRounding) || value > high_ * (1 + kRounding)) continue;
      const bool labelled = digit == 1
                                ? decade % every == 0
                                : (digit == 2 || digit == 5) && decades <= kDecadesWithTwoAndFive;
      ticks_.push_back({std::clamp(value, low_, high_), labelled ? number_text(value) : ""});
    }
  }
}

}  // namespace sotto::report
