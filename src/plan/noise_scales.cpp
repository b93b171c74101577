#include "plan/noise_scales.h"

#include <cmath>

#include "sotto/core/error.h"

namespace sotto {

std::vector<double> noise_scales(const std::vector<double>& bounds, const BoundedNoise& noise) {
  for (const double bound : bounds) {
    check_argument(bound > 0 && std::isfinite(bound), "a gradient's bound must be positive, got ",
                   bound);
  }
  if (noise.strategy == NoiseStrategy::kGlobal) {
    double square = 0;
    for (const double bound : bounds) square += bound * bound;
    return std::vector<double>(bounds.size(), std::sqrt(square));
  }
  auto coefficients = noise.coefficients;
  if (coefficients.empty()) coefficients.assign(bounds.size(), 1.0);
  check_argument(coefficients.size() == bounds.size(), "per-layer noise: got ", coefficients.size(),
                 " coefficients for ", bounds.size(), " parameters");
  check_coefficients(coefficients);
  double inverse_squares = 0;
  for (const double coefficient : coefficients) inverse_squares += 1 / (coefficient * coefficient);
  std::vector<double> scales;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    scales.push_back(std::sqrt(inverse_squares) * coefficients[i] * bounds[i]);
  }
  return scales;
}

void check_coefficients(const std::vector<double>& coefficients) {
  for (const double coefficient : coefficients) {
    check_argument(coefficient >= 1e-6 && coefficient <= 1e6,
                   "per-layer noise: coefficients must be from 1e-6 to 1e6, got ", coefficient);
  }
}

}  // namespace sotto
