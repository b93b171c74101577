#include "sotto/accounting/tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/log_math.h"
#include "core/monotone_search.h"
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

RandomNumberOfRuns RandomNumberOfRuns::logarithmic(double mean) {
  check_argument(mean >= 1.0001 && mean <= 1e9,
                 "mean number of runs must be from 1.0001 to 1e9, got ", mean);
  constexpr double kLeast = 1e-12;  // a mean of 3.6e10
  constexpr double kMost = 1 - 1e-6;
  const double gamma = smallest_nonpositive(kLeast, kMost, 1e-12, [&](double candidate) {
    return RandomNumberOfRuns(0, candidate).mean() - mean;
  });
  return {0, gamma};
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

namespace {

// The theorems are about Rényi divergences. A run whose black boxes fail with probability β is
// within β of one whose do not (Kairouz, Oh, Viswanath 2015, Theorem 3.1), and the best of E[K]
// runs within E[K] β on each side: δ grows by (1 + e^ε) E[K] β, for which a little of it is kept.
// `price`: from δ to ε without such boxes.
template <typename Price>
RdpEpsilon with_boxes(const RdpAccountant& one_run, double mean, double delta, Price price) {
  constexpr double kKept = 0x1p-10;
  check_argument(delta > 0 && delta < 1, "delta must be in (0, 1), got ", delta);
  if (one_run.additive_delta() == 0) return price(delta);
  const auto priced = price(delta * (1 - kKept));
  const double missed = (1 + std::exp(priced.epsilon)) * mean * one_run.additive_delta();
  if (missed > delta * kKept) {
    throw NoValidAnalysis("tuning: black boxes fail too often for a delta this small");
  }
  return priced;
}

// The least ε over the orders, given the divergence of the tuned result at the i-th.
template <typename Divergence>
RdpEpsilon least_epsilon(const std::vector<double>& orders, double delta, Conversion conversion,
                         Divergence divergence) {
  RdpEpsilon best{std::numeric_limits<double>::infinity(), orders.front(), false};
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const double epsilon = epsilon_from_rdp(conversion, orders[i], divergence(i), delta);
    if (epsilon < best.epsilon) best = {epsilon, orders[i], i == 0 || i + 1 == orders.size()};
  }
  return best;
}

}  // namespace

RdpEpsilon tuned_by_random_runs(const RdpAccountant& one_run, const RandomNumberOfRuns& runs,
                                double delta, Conversion conversion) {
  const auto& orders = one_run.orders();
  const auto& rdp = one_run.rdp();
  // ε'(α) = ε(α) + (1+η)((1 - 1/α̂) ε(α̂) + ln(1/γ)/α̂) + ln E[K]/(α-1), for any α̂.
  double selection = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < orders.size(); ++i) {
    selection = std::min(
        selection, (1 - 1 / orders[i]) * rdp[i] - std::log(runs.success_probability()) / orders[i]);
  }
  return with_boxes(one_run, runs.mean(), delta, [&](double left) {
    return least_epsilon(orders, left, conversion, [&](std::size_t i) {
      return rdp[i] + (1 + runs.shape()) * selection + std::log(runs.mean()) / (orders[i] - 1);
    });
  });
}

RdpEpsilon tuned_by_poisson_runs(const RdpAccountant& one_run, double mean, double delta,
                                 Conversion conversion) {
  check_argument(mean > 0 && std::isfinite(mean), "mean number of runs must be positive, got ",
                 mean);
  const auto& orders = one_run.orders();
  // With s(y) the probability that one run beats y, the best of K runs has density
  // q(y) μ e^{-μ s(y)}. Its moment of order α differs from q's by μ e^{μ((α-1) s' - α s)}, and
  // s' ≤ e^ε̂ s + δ̂ with e^ε̂ = α/(α-1) makes the exponent at most μ (α-1) δ̂. No run at all has
  // probability e^-μ on both sides and adds that.
  return with_boxes(one_run, mean, delta, [&](double left) {
    return least_epsilon(orders, left, conversion, [&](std::size_t i) {
      const double order = orders[i];
      const double unlikely = one_run.delta(std::log1p(1 / (order - 1)), conversion);
      const double runs = std::log(mean) + (order - 1) * (one_run.rdp()[i] + mean * unlikely);
      return log_add(-mean, runs) / (order - 1);
    });
  });
}

}  // namespace sotto::accounting
