#include "plots/axis.h"

#include <algorithm>
#include <cmath>

#include "report/number_text.h"
#include "sotto/core/error.h"

namespace sotto::plots {
namespace {

using report::number_text;
using report::Scale;

double place_at(const Range& range, Scale scale, double share) {
  if (share == 0) return range.low;
  if (share == 1) return range.high;
  return scale == Scale::kLinear ? std::lerp(range.low, range.high, share)
                                 : range.low * std::pow(range.high / range.low, share);
}

void check_axis(const Range& range, Scale scale, std::size_t points) {
  if (!(range.low < range.high)) {
    throw InvalidArgument("an axis from " + number_text(range.low) + " to " +
                          number_text(range.high) + " is empty");
  }
  if (scale == Scale::kLog && range.low <= 0) {
    throw InvalidArgument("a logarithmic axis begins above 0, not at " + number_text(range.low));
  }
  if (points < 2) throw InvalidArgument("an axis has at least 2 points");
}

}  // namespace

Range usual_range(Quantity quantity, std::span<const PlannedRun> runs) {
  const QuantityTraits& traits = traits_of(quantity);
  const Range allowed = allowed_range(quantity, runs);
  Range range{std::max(traits.usual.low, allowed.low), std::min(traits.usual.high, allowed.high)};
  if (range.high <= range.low && allowed.high > traits.usual.high) range.high = 100 * range.low;
  if (range.high <= range.low && traits.whole) range.low = 1;
  return range;
}

Axis axis_over(Quantity quantity, const Range& range, Scale scale, std::size_t points) {
  check_axis(range, scale, points);
  const bool whole = traits_of(quantity).whole;
  Axis axis{quantity, scale};
  for (std::size_t i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(points - 1);
    const double place = place_at(range, scale, share);
    axis.places.push_back(whole ? std::round(place) : place);
  }
  axis.places.erase(std::unique(axis.places.begin(), axis.places.end()), axis.places.end());
  return axis;
}

}  // namespace sotto::plots
