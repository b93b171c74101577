#include "core/monotone_search.h"

#include <algorithm>
#include <cmath>

namespace sotto {

double smallest_nonpositive(double low, double high, double relative_width,
                            const std::function<double(double)>& decreasing) {
  // Regula falsi on ln x, Illinois variant: the end that stays counts half each time.
  double left = std::log(low);
  double right = std::log(high);
  double at_left = decreasing(low);
  double at_right = decreasing(high);
  int last_moved = 0;
  for (int i = 0; i < 200 && right - left > relative_width; ++i) {
    const double margin = 0.25 * std::min(relative_width, right - left);
    const double proposal = right - at_right * (right - left) / (at_right - at_left);
    const bool usable = std::isfinite(proposal) && i % 8 != 7;  // a bisection now and then
    const double x =
        usable ? std::clamp(proposal, left + margin, right - margin) : left + (right - left) / 2;
    const double value = decreasing(std::exp(x));
    if (value <= 0) {
      right = x;
      at_right = value;
      if (last_moved > 0) at_left /= 2;
      last_moved = 1;
    } else {
      left = x;
      at_left = value;
      if (last_moved < 0) at_right /= 2;
      last_moved = -1;
    }
  }
  return std::exp(right);
}

std::int64_t largest_holding(std::int64_t guess, std::int64_t limit,
                             const std::function<bool(std::int64_t)>& holds) {
  std::int64_t good = 0;         // holds, or nothing does
  std::int64_t bad = limit + 1;  // does not hold, or is past the limit
  std::int64_t probe = std::clamp<std::int64_t>(guess, 1, limit);
  std::int64_t stride = std::max<std::int64_t>(1, probe / 64);
  while (bad - good > 1) {
    (holds(probe) ? good : bad) = probe;
    const bool bracketed = good > 0 && bad <= limit;
    if (bracketed) {
      probe = good + (bad - good) / 2;
    } else {
      probe = good > 0 ? std::min(good + stride, bad - 1) : std::max(bad - stride, good + 1);
      stride = std::min(stride * 4, limit);
    }
    probe = std::clamp(probe, good + 1, std::max(good + 1, bad - 1));
  }
  return good;
}

}  // namespace sotto
