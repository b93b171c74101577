#include "rappor/significance.h"

#include <algorithm>
#include <vector>

namespace sotto::rappor {

double significance_level(std::span<const double> p_values, std::size_t tests, double alpha,
                          Correction correction) {
  const double step = alpha / static_cast<double>(tests);
  if (correction == Correction::kBonferroni) return step;
  std::vector<double> sorted(p_values.begin(), p_values.end());
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t count = sorted.size(); count > 0; --count) {
    if (sorted[count - 1] <= step * static_cast<double>(count)) {
      return step * static_cast<double>(count);
    }
  }
  return step;
}

}  // namespace sotto::rappor
