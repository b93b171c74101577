#include "core/gaussian_noise.h"

#include <cmath>

#include "core/rounded_normal.h"

namespace sotto {

namespace {

constexpr int kDeviationBits = 10;

}  // namespace

double rounding_step(double deviation) {
  return std::ldexp(1.0, std::ilogb(deviation) - kDeviationBits);
}

double add_gaussian(double value, double deviation, RandomSource& random) {
  const double step = rounding_step(deviation);
  const RoundedNormal normal(deviation / step);
  const double steps = value / step;
  return std::isfinite(steps) ? normal.nearest(steps, random(), random) * step : value;
}

}  // namespace sotto
