#include "report/axis.h"

#include <algorithm>
#include <cmath>

#include "report/number_text.h"
#include "report/on_scale.h"
#include "sotto/core/error.h"

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

// 1, 2 or 5 times a power of ten, for about so many ticks.
double round_step(const Range& range, int ticks) {
  const double rough = (range.high - range.low) / ticks;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - kRounding)) return factor * power;
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

bool has_log_ticks(const Range& range, Scale scale) {
  return scale == Scale::kLog && range.high / range.low > kShortFactor;
}

}  // namespace

void Range::include(double value) {
  check_argument(std::isfinite(value), "a chart's values must be finite, got ", value);
  low = std::min(low, value);
  high = std::max(high, value);
}

Axis::Axis(const Range& range, Scale scale, const AxisOptions& options) : scale_(scale) {
  const Range used = usable(range, scale);
  if (has_log_ticks(used, scale)) {
    low_ = std::min(round_below(used.low), used.low);
    high_ = std::max(round_above(used.high), used.high);
  } else {
    const double step = round_step(used, options.ticks);
    low_ = std::min(std::floor(used.low / step + kRounding) * step, used.low);
    high_ = std::max(std::ceil(used.high / step - kRounding) * step, used.high);
    if (scale == Scale::kLog && low_ <= 0) low_ = used.low;
  }
  lay_ticks(used, options);
}

Axis Axis::between(double low, double high, Scale scale, const AxisOptions& options) {
  const Range range = usable({low, high}, scale);
  Axis axis;
  axis.scale_ = scale;
  axis.low_ = range.low;
  axis.high_ = range.high;
  axis.lay_ticks(range, options);
  return axis;
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

bool Axis::can_show(double value) const { return is_on_scale(scale_, value); }

double Axis::share(double value) const {
  if (scale_ == Scale::kLinear) return (value - low_) / (high_ - low_);
  return std::log(value / low_) / std::log(high_ / low_);
}

void Axis::lay_ticks(const Range& range, const AxisOptions& options) {
  if (has_log_ticks(range, scale_)) {
    lay_log_ticks(options.percent);
  } else {
    lay_linear_ticks(round_step(range, options.ticks), options.percent);
  }
}

void Axis::lay_linear_ticks(double step, bool percent) {
  const double first = std::ceil(low_ / step - kRounding);
  for (double i = first; i * step <= high_ + step * kRounding; ++i) {
    const double value = std::clamp(i * step, low_, high_);
    ticks_.push_back({i == 0 ? 0 : value, tick_text(i * step, step, percent)});
  }
}

void Axis::lay_log_ticks(bool percent) {
  const auto label = [percent](double value) {
    return percent ? number_text(100 * value) + " %" : number_text(value);
  };
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
      ticks_.push_back({std::clamp(value, low_, high_), labelled ? label(value) : ""});
    }
  }
}

}  // namespace sotto::report
