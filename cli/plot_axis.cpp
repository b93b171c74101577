#include "cli/plot_axis.h"

#include <algorithm>
#include <cmath>

#include "report/number_text.h"

namespace sotto::cli {
namespace {

using report::number_text;
using report::Scale;

double end_flag(const QuantityTraits& traits, const char* flag, const std::string& text) {
  return traits.whole ? static_cast<double>(count_flag(flag, text))
                      : number_flag(flag, text, traits.accepted);
}

// A range that the runs allow, as near to the usual one as possible.
ValueLimits default_range(const QuantityTraits& traits, const ValueLimits& limits) {
  ValueLimits range{std::max(traits.low, limits.low), std::min(traits.high, limits.high)};
  if (range.high <= range.low && limits.high > traits.high) range.high = 100 * range.low;
  if (range.high <= range.low) range.low = traits.whole ? 1 : traits.accepted.low;
  return range;
}

void check_ends(const QuantityTraits& traits, const AxisFlags& flags, const ValueLimits& range,
                const ValueLimits& limits) {
  if (range.low < limits.low) {
    throw UsageError("--from '" + *flags.from + "': expected at least the largest batch size, " +
                     number_text(limits.low));
  }
  if (range.high > limits.high) {
    throw UsageError("--to '" + *flags.to + "': expected at most the smallest data-set size, " +
                     number_text(limits.high));
  }
  if (range.low >= range.high) {
    const bool from = flags.from.has_value();
    throw UsageError(std::string(from ? "--from" : "--to") + " '" +
                     (from ? *flags.from : flags.to.value_or(number_text(range.high))) +
                     "': " + traits.name + " would run from " + number_text(range.low) + " to " +
                     number_text(range.high) + "; expected --from below --to");
  }
  if (flags.scale == Scale::kLog && range.low <= 0) {
    throw UsageError("--from '" + flags.from.value_or("0") +
                     "': a logarithmic axis begins above 0");
  }
}

double place_at(const ValueLimits& range, Scale scale, double share) {
  if (share == 0) return range.low;
  if (share == 1) return range.high;
  return scale == Scale::kLinear ? std::lerp(range.low, range.high, share)
                                 : range.low * std::pow(range.high / range.low, share);
}

}  // namespace

PlotAxis plot_axis(PlotQuantity quantity, const AxisFlags& flags,
                   std::span<const PlannedRun> runs) {
  const QuantityTraits& traits = traits_of(quantity);
  const ValueLimits limits = limits_for(quantity, runs);
  ValueLimits range = default_range(traits, limits);
  if (flags.from) range.low = end_flag(traits, "--from", *flags.from);
  if (flags.to) range.high = end_flag(traits, "--to", *flags.to);
  check_ends(traits, flags, range, limits);
  PlotAxis axis{quantity, flags.scale, {}, flags.from || flags.to};
  for (std::size_t i = 0; i < flags.points; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(flags.points - 1);
    const double place = place_at(range, flags.scale, share);
    axis.places.push_back(traits.whole ? std::round(place) : place);
  }
  axis.places.erase(std::unique(axis.places.begin(), axis.places.end()), axis.places.end());
  return axis;
}

}  // namespace sotto::cli
