#include "sotto/accounting/tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sotto/core/error.h"

namespace sotto::accounting {

Composition tuned_by_fixed_runs(const Composition& one_run, std::int64_t runs) {
  check_argument(runs >= 1, "number of runs must be at least 1, got ", runs);
  return one_run.repeated(runs);
}

RandomNumberOfRuns RandomNumberOfRuns::geometric(double mean) {
  check_argument(mean > 1 && std::isfinite(mean), "mean number of runs must be above 1, got ",
                 mean);
  return {1, 1 / mean};
}

RandomNumberOfRuns::RandomNumberOfRuns(double shape, double success_probability)
    : shape_(shape), success_probability_(success_probability) {
  check_argument(shape > -1 && std::isfinite(shape), "shape must be above -1, got ", shape);
  check_argument(success_probability > 0 && success_probability < 1,
                 "success probability must be in (0, 1), got ", success_probability);
}

double RandomNumberOfRuns::mean() const {
  const double gamma = success_probability_;
  if (shape_ == 0) return (1 / gamma - 1) / -std::log(gamma);
  return shape_ * (1 - gamma) / (gamma * -std::expm1(shape_ * std::log(gamma)));
}

RdpEpsilon tuned_by_random_runs(const RdpAccountant& one_run, const RandomNumberOfRuns& runs,
                                double delta, Conversion conversion) {
  check_argument(delta > 0 && delta < 1, "delta must be in (0, 1), got ", delta);
  check_argument(one_run.additive_delta() == 0,
                 "tuning needs runs without black boxes of positive delta");
  const auto& orders = one_run.orders();
  const auto& rdp = one_run.rdp();
  // ε'(α) = ε(α) + (1+η)((1 - 1/α̂) ε(α̂) + ln(1/γ)/α̂) + ln E[K]/(α-1), for any α̂.
  double selection = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < orders.size(); ++i) {
    selection = std::min(
        selection, (1 - 1 / orders[i]) * rdp[i] - std::log(runs.success_probability()) / orders[i]);
  }
  RdpEpsilon best{std::numeric_limits<double>::infinity(), orders.front(), false};
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const double tuned =
        rdp[i] + (1 + runs.shape()) * selection + std::log(runs.mean()) / (orders[i] - 1);
    const double epsilon = epsilon_from_rdp(conversion, orders[i], tuned, delta);
    if (epsilon < best.epsilon) {
      best = {epsilon, orders[i], i == 0 || i + 1 == orders.size()};
    }
  }
  return best;
}

}  // namespace sotto::accounting
