#include "sotto/core/monotone_search.h"

#include <algorithm>
#include <cmath>

namespace sotto {

double smallest_holding(double low, double high, double relative_width,
                        const std::function<bool(double)>& holds) {
  while (high > low * (1 + relative_width)) {
    const double middle = std::sqrt(low) * std::sqrt(high);
    if (middle <= low || middle >= high) break;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

std::int64_t largest_holding(std::int64_t guess, std::int64_t limit,
                             const std::function<bool(std::int64_t)>& holds) {
  std::int64_t good = 0;          // holds, or nothing does
  std::int64_t bad = limit + 1;   // does not hold, or is past the limit
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
