// Intervals for a share that was seen on so many records.
#pragma once

#include <cstdint>

namespace sotto::runs {

// All intervals here hold with this probability, or about.
constexpr double kConfidence = 0.95;
constexpr double kTwoSidedQuantile = 1.959963984540054;  // normal, of kConfidence

struct Interval {
  double low = 0;
  double high = 1;
};

// Clopper and Pearson 1934, from the binomial distribution itself: holds at least as often as it
// says, whatever the true share. REQUIRES: 0 <= successes <= trials, trials >= 1.
Interval clopper_pearson(std::int64_t successes, std::int64_t trials);

// Wilson 1927, which takes numbers that are not whole: for counts with noise. REQUIRES: 0 <= share
// <= 1, trials > 0.
Interval wilson(double share, double trials);

}  // namespace sotto::runs
