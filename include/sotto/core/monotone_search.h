// Searches along a monotone predicate that always end on the side where it holds.
#pragma once

#include <cstdint>
#include <functional>

namespace sotto {

// The smallest x in [low, high], to within `relative_width`, for which `holds(x)` is true, given
// that it is false below some threshold and true above. The returned x satisfies `holds`.
// REQUIRES: 0 < low < high, holds(high). The bisection is on ln x, so it also works across decades.
double smallest_holding(double low, double high, double relative_width,
                        const std::function<bool(double)>& holds);

// The largest n in [1, limit] for which `holds(n)` is true, given that it is true below some
// threshold and false above; 0 if holds(1) is false. Starts near `guess`, so a good guess costs
// few evaluations.
std::int64_t largest_holding(std::int64_t guess, std::int64_t limit,
                             const std::function<bool(std::int64_t)>& holds);

}  // namespace sotto
