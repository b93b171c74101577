#include "sotto/mechanisms/releases.h"

#include <algorithm>
#include <cmath>

namespace sotto::mechanisms {

namespace {

using accounting::EpsilonDelta;

constexpr double kIntervalTail = 0.05;

EpsilonDelta half_of(const EpsilonDelta& budget) { return {budget.epsilon / 2, budget.delta / 2}; }

Release release_on_grid(std::int64_t steps, const Grid& grid, const IntegerNoise& noise,
                        RandomSource& random) {
  const double value = grid.value(steps + noise.draw(random));
  const double half_width = noise.half_width(kIntervalTail) * grid.step();
  return {value, noise.standard_deviation() * grid.step(), value - half_width, value + half_width};
}

}  // namespace

CountRelease::CountRelease(NoiseKind kind, const EpsilonDelta& budget) : noise_(kind, 1, budget) {}

Release CountRelease::release(std::int64_t count, RandomSource& random) const {
  return release_on_grid(count, Grid(1), noise_, random);
}

SumRelease::SumRelease(const ValueBounds& bounds, const Grid& grid, NoiseKind kind,
                       const EpsilonDelta& budget)
    : sum_(bounds, grid, 0), noise_(kind, sum_.sensitivity(), budget) {}

Release SumRelease::release(const BoundedSum& sum, RandomSource& random) const {
  return release_on_grid(sum.steps(), sum.grid(), noise_, random);
}

MeanRelease::MeanRelease(const ValueBounds& bounds, const Grid& grid, NoiseKind kind,
                         const EpsilonDelta& budget)
    : bounds_(bounds),
      sum_(bounds, grid, bounds.middle()),
      sum_noise_(kind, sum_.sensitivity(), half_of(budget)),
      count_noise_(kind, 1, half_of(budget)) {}

Release MeanRelease::release(const BoundedSum& sum, std::int64_t count,
                             RandomSource& random) const {
  constexpr double kOneEnd = kIntervalTail / 2;  // of the sum; the other half is the count's
  const double noisy_sum = sum.grid().value(sum.steps() + sum_noise_.draw(random));
  const auto noisy_count = static_cast<double>(count + count_noise_.draw(random));
  const double divisor = std::max(1.0, noisy_count);
  const double offset = noisy_sum / divisor;
  const double mean = bounds_.clamp(sum.origin() + offset);
  const double count_width = count_noise_.half_width(kOneEnd);
  const double error = std::hypot(sum_noise_.standard_deviation() * sum.grid().step(),
                                  (mean - sum.origin()) * count_noise_.standard_deviation()) /
                       divisor;
  if (noisy_count - count_width < 1) return {mean, error, bounds_.low(), bounds_.high()};
  // Both numbers are within their widths with probability 95 %; then so is the quotient.
  const double sum_width = sum_noise_.half_width(kOneEnd) * sum.grid().step();
  const auto extreme = [&](double total, bool largest) {
    const double few = total / (noisy_count - count_width);
    const double many = total / (noisy_count + count_width);
    return sum.origin() + (largest ? std::max(few, many) : std::min(few, many));
  };
  return {mean, error, bounds_.clamp(extreme(noisy_sum - sum_width, false)),
          bounds_.clamp(extreme(noisy_sum + sum_width, true))};
}

}  // namespace sotto::mechanisms
