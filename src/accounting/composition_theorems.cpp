#include "sotto/accounting/theorems.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/log_math.h"
#include "sotto/core/error.h"

namespace sotto::accounting {

EpsilonDelta basic_composition(std::span<const EpsilonDelta> parts) {
  EpsilonDelta total{0, 0};
  for (const auto& part : parts) {
    check_guarantee(part);
    total.epsilon += part.epsilon;
    total.delta += part.delta;
  }
  total.delta = std::min(total.delta, 1.0);
  return total;
}

EpsilonDelta parallel_composition(std::span<const EpsilonDelta> parts) {
  EpsilonDelta worst{0, 0};
  for (const auto& part : parts) {
    check_guarantee(part);
    worst.epsilon = std::max(worst.epsilon, part.epsilon);
    worst.delta = std::max(worst.delta, part.delta);
  }
  return worst;
}

EpsilonDelta advanced_composition(const EpsilonDelta& each, std::int64_t count, double slack) {
  check_guarantee(each);
  check_argument(count >= 1, "count must be at least 1, got ", count);
  check_argument(slack > 0 && slack < 1, "slack must be in (0, 1), got ", slack);
  const auto k = static_cast<double>(count);
  return {each.epsilon * std::sqrt(2 * k * -std::log(slack)) +
              k * each.epsilon * std::expm1(each.epsilon),
          std::min(k * each.delta + slack, 1.0)};
}

std::optional<double> optimal_composition(const EpsilonDelta& each, std::int64_t count,
                                          double total_delta) {
  check_guarantee(each);
  check_argument(count >= 1, "count must be at least 1, got ", count);
  check_argument(total_delta >= 0 && total_delta <= 1, "delta must be in [0, 1], got ",
                 total_delta);
  if (std::isinf(each.epsilon)) return each.epsilon;
  constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();
  const auto k = static_cast<double>(count);
  const double epsilon = each.epsilon;
  const double log_finite = k * std::log1p(-each.delta);
  const double log_normaliser = k * log_add(0, epsilon);
  std::optional<double> best;
  // δ_i = Σ_{l<i} C(k,l) (e^{(k-l)ε} - e^{(k-2i+l)ε}) / (1+e^ε)^k, by two running sums.
  double log_high = kMinusInfinity;  // ln Σ C(k,l) e^{(k-l)ε}
  double log_low = kMinusInfinity;   // ln Σ C(k,l) e^{lε}
  for (std::int64_t i = 0; 2 * i <= count; ++i) {
    const auto steps_down = static_cast<double>(i);
    if (i > 0) {
      const double l = steps_down - 1;
      log_high = log_add(log_high, log_binomial(k, l) + (k - l) * epsilon);
      log_low = log_add(log_low, log_binomial(k, l) + l * epsilon);
    }
    const double subtracted = (k - 2 * steps_down) * epsilon + log_low;
    const double log_delta_i = log_sub(log_high, std::min(subtracted, log_high)) - log_normaliser;
    // 1 - (1-δ)^k (1-δ_i).
    const double total =
        -std::expm1(log_finite + std::log1p(-std::min(std::exp(log_delta_i), 1.0)));
    if (!(total <= total_delta)) break;
    best = (k - 2 * steps_down) * epsilon;
  }
  return best;
}

EpsilonDelta amplified_by_sampling(const EpsilonDelta& mechanism, double sample_rate) {
  check_guarantee(mechanism);
  check_argument(sample_rate > 0 && sample_rate <= 1, "sample rate must be in (0, 1], got ",
                 sample_rate);
  return {log_mix_exp(sample_rate, mechanism.epsilon), sample_rate * mechanism.delta};
}

EpsilonDelta for_group(const EpsilonDelta& one_record, int group_size) {
  check_guarantee(one_record);
  check_argument(group_size >= 1, "group size must be at least 1, got ", group_size);
  const double epsilon = one_record.epsilon * group_size;
  const double growth =
      one_record.epsilon > 0 ? std::expm1(epsilon) / std::expm1(one_record.epsilon) : group_size;
  const double delta = one_record.delta > 0 ? one_record.delta * growth : 0;
  return {epsilon, std::isnan(delta) ? 1.0 : std::min(delta, 1.0)};
}

}  // namespace sotto::accounting
