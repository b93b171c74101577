#include "accounting/window.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "accounting/infinity.h"
#include "core/log_math.h"

namespace sotto::accounting {

namespace {

constexpr std::array<double, 16> kSteeperTilts = {1.03, 1.07, 1.15, 1.25, 1.4, 1.6, 1.9, 2.3,
                                                  3,    4,    6,    10,   18,  35,  70,  200};

}  // namespace

double tail_bound(const CumulantFunction& cumulants, double tilt, double threshold) {
  double best = 1;
  for (const double factor : kSteeperTilts) {
    const double steeper = tilt * factor;
    best = std::min(best, std::exp(cumulants.value(steeper) - steeper * threshold));
  }
  return best;
}

double alias_from_above(const CumulantFunction& cumulants, const Window& window) {
  double best = 1;
  for (const double factor : kSteeperTilts) {
    const double steeper = window.tilt * factor;
    const double log_ratio = (window.tilt - steeper) * window.width;
    const double log_bound =
        cumulants.value(steeper) - steeper * window.low + log_ratio - log1m_exp(log_ratio);
    best = std::min(best, std::exp(log_bound));
  }
  return best;
}

double alias_from_below(const Window& window) {
  const double ratio = std::exp(-window.tilt * window.width);
  return ratio / (1 - ratio);
}

Window plan_window(const CumulantFunction& cumulants, const WindowRequest& request) {
  // From a quarter of the saddle point's tilt, which leaves room below a tail that explodes, to
  // many times it, which leaves room above a large δ.
  constexpr double kFirst = 0.25;
  constexpr double kStep = 1.1;
  constexpr int kTilts = 56;
  std::array<double, kTilts> tilts{};
  std::array<double, kTilts> values{};
  for (int i = 0; i < kTilts; ++i) {
    tilts[i] = request.tilt * kFirst * std::pow(kStep, i);
    values[i] = cumulants.value(tilts[i]);
  }
  const double budget = -std::log(request.tolerated_mass);
  // Rounding leaves about this much of the tilted mass anywhere, weighted e^{K - λ·low} in δ.
  const double log_noise = std::log(1e-15 * (request.steps + 10));
  Window best{request.tilt, request.low, kInfinity};
  Window quietest = best;
  double least_noise = kInfinity;
  for (int i = 0; i < kTilts - 1; ++i) {
    // From alias_from_above: K(λ') - λ' low - (λ' - λ) W <= ln(tolerated).
    double from_above = kInfinity;
    for (int j = i + 1; j < kTilts; ++j) {
      from_above = std::min(from_above,
                            (values[j] - tilts[j] * request.low + budget) / (tilts[j] - tilts[i]));
    }
    const Window window{tilts[i], request.low, std::max(from_above, budget / tilts[i])};
    const double noise = values[i] - tilts[i] * request.low + log_noise;
    if (noise <= -budget && window.width < best.width) best = window;
    if (noise < least_noise) {
      least_noise = noise;
      quietest = window;
    }
  }
  return std::isfinite(best.width) ? best : quietest;
}

}  // namespace sotto::accounting
