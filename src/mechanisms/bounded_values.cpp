#include "sotto/mechanisms/releases.h"

#include <algorithm>
#include <cmath>

#include "sotto/core/error.h"

namespace sotto::mechanisms {

namespace {

constexpr double kLargestValue = 1e15;
constexpr double kMostSteps = 0x1p40;
constexpr std::int64_t kLargestSum = std::int64_t{1} << 61U;  // room for noise of up to 2^62

std::int64_t most_steps(const ValueBounds& bounds, const Grid& grid, double origin) {
  const double reach = std::max(std::abs(bounds.low() - origin), std::abs(bounds.high() - origin));
  check_argument(reach / grid.step() <= kMostSteps, "grid ", grid.step(),
                 " is too fine for the bounds ", bounds.low(), " and ", bounds.high(),
                 "; accepted: at least ", reach / kMostSteps);
  const std::int64_t most = std::max(std::abs(grid.nearest(bounds.low() - origin)),
                                     std::abs(grid.nearest(bounds.high() - origin)));
  check_argument(most >= 1, "grid ", grid.step(), " is too coarse for the bounds ", bounds.low(),
                 " and ", bounds.high(), "; accepted: at most ", reach);
  return most;
}

}  // namespace

ValueBounds::ValueBounds(double low, double high) : low_(low), high_(high) {
  check_argument(std::abs(low) <= kLargestValue && std::abs(high) <= kLargestValue && low < high,
                 "bounds must be two numbers from -1e15 to 1e15, the lower one first, got ", low,
                 " and ", high);
}

double ValueBounds::clamp(double value) const { return std::clamp(value, low_, high_); }

Grid::Grid(double step) : step_(step) {
  check_argument(step > 0 && std::isfinite(step), "grid must be positive, got ", step);
}

Grid Grid::for_values_up_to(double largest) {
  check_argument(largest > 0 && std::isfinite(largest), "the largest value must be positive, got ",
                 largest);
  return Grid(std::ldexp(1.0, std::ilogb(largest) - 32));
}

std::int64_t Grid::nearest(double value) const { return std::llround(value / step_); }

BoundedSum::BoundedSum(const ValueBounds& bounds, const Grid& grid, double origin)
    : bounds_(bounds),
      grid_(grid),
      origin_(origin),
      sensitivity_(most_steps(bounds, grid, origin)) {}

void BoundedSum::add(double value) {
  if (std::isnan(value)) return;
  const std::int64_t steps = grid_.nearest(bounds_.clamp(value) - origin_);
  steps_ = std::clamp(steps_ + steps, -kLargestSum, kLargestSum);
}

}  // namespace sotto::mechanisms
