// Searches along a monotone function that always end on the wanted side.
#pragma once

#include <cstdint>
#include <functional>

namespace sotto {

// The smallest x in [low, high], to within `relative_width`, with decreasing(x) <= 0. The returned
// x satisfies it. REQUIRES: 0 < low < high, decreasing(low) > 0 >= decreasing(high). Few
// evaluations for a smooth function; still right for a noisy one.
double smallest_nonpositive(double low, double high, double relative_width,
                            const std::function<double(double)>& decreasing);

// The largest n in [1, limit] for which `holds(n)` is true, given that it is true below some
// threshold and false above; 0 if holds(1) is false. Starts near `guess`, so a good guess costs
// few evaluations.
std::int64_t largest_holding(std::int64_t guess, std::int64_t limit,
                             const std::function<bool(std::int64_t)>& holds);

}  // namespace sotto
