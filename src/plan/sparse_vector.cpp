#include "plan/sparse_vector.h"

#include <algorithm>
#include <cmath>

#include "sotto/core/error.h"
#include "sotto/mechanisms/integer_noise.h"

namespace sotto {

double sparse_vector_threshold(const std::vector<double>& norms,
                               const std::vector<double>& candidates, std::int64_t most_above,
                               double epsilon, RandomSource& random) {
  check_argument(!candidates.empty(), "sparse vector: there is no candidate");
  check_argument(epsilon > 0 && std::isfinite(epsilon),
                 "sparse vector: epsilon must be positive, got ", epsilon);
  const mechanisms::DiscreteLaplace on_threshold(1, epsilon / 2);
  const mechanisms::DiscreteLaplace on_count(2, epsilon / 2);
  const std::int64_t limit = most_above + on_threshold.draw(random);
  for (const double candidate : candidates) {
    const auto above =
        std::count_if(norms.begin(), norms.end(), [&](double norm) { return norm > candidate; });
    if (above + on_count.draw(random) <= limit) return candidate;
  }
  return candidates.back();
}

std::vector<double> threshold_candidates(double largest) {
  constexpr int kPerDecade = 20;
  constexpr int kDecades = 3;
  std::vector<double> candidates;
  for (int i = kPerDecade * kDecades; i >= 0; --i) {
    candidates.push_back(largest * std::pow(10.0, -static_cast<double>(i) / kPerDecade));
  }
  return candidates;
}

}  // namespace sotto
