#include "sotto/accounting/budget.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/monotone_search.h"
#include "sotto/core/error.h"

namespace sotto::accounting {

namespace {

constexpr double kMostNoise = 1e6;
constexpr double kLeastNoise = 0.01;

void check_target(const EpsilonDelta& target) {
  check_argument(target.epsilon > 0 && std::isfinite(target.epsilon),
                 "target epsilon must be positive and finite, got ", target.epsilon);
  check_argument(target.delta > 0 && target.delta < 1, "delta must be in (0, 1), got ",
                 target.delta);
}

// x rounded up to six significant digits, so that the printed number is the number found.
double to_more_digits(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 5);
  return std::ceil(x / unit - 1e-9) * unit;
}

AccountingOptions rdp_version_of(AccountingOptions options) {
  options.accountant = Accountant::kRdp;
  options.conversion = Conversion::kImproved;
  return options;
}

}  // namespace

double smallest_noise_multiplier(const EpsilonDelta& target, const Neighbours& neighbours,
                                 const std::function<Composition(double)>& run_with_noise,
                                 const AccountingOptions& options) {
  check_target(target);
  const auto log_excess = [&](double noise) {
    const double epsilon =
        cost_at_delta(run_with_noise(noise), neighbours, target.delta, options).epsilon;
    const double excess = std::log(std::max(epsilon, 1e-300) / target.epsilon);
    return std::isnan(excess) ? std::numeric_limits<double>::infinity() : excess;
  };
  // A bracket, by growing steps from 1.
  double low = 1;
  double high = 1;
  for (double factor = 1.5; log_excess(high) > 0; factor *= factor) {
    low = high;
    high *= factor;
    check_argument(low < kMostNoise, "no noise multiplier up to ", kMostNoise, " reaches epsilon ",
                   target.epsilon, " at delta ", target.delta);
  }
  for (double factor = 1.5; low == high || log_excess(low) <= 0; factor *= factor) {
    if (low == kLeastNoise) return low;  // checked by the loop: even this is enough
    high = low;
    low = std::max(low / factor, kLeastNoise);
  }
  // Rounding up adds noise, but the upper end of ε may wiggle by its own width: check once more.
  double found = to_more_digits(smallest_nonpositive(low, high, 2e-6, log_excess));
  while (log_excess(found) > 0) found = to_more_digits(found * (1 + 1e-6));
  return found;
}

std::int64_t most_rounds(const EpsilonDelta& target, const Neighbours& neighbours,
                         const std::function<Composition(std::int64_t)>& run_of_length,
                         std::int64_t limit, const AccountingOptions& options) {
  check_target(target);
  const auto affordable_by = [&](const AccountingOptions& by) {
    return [&, by](std::int64_t rounds) {
      return cost_at_delta(run_of_length(rounds), neighbours, target.delta, by).epsilon <=
             target.epsilon;
    };
  };
  // Rényi accounting is cheap and allows less: a good place to start from.
  std::int64_t guess = 1;
  try {
    guess = largest_holding(64, limit, affordable_by(rdp_version_of(options)));
  } catch (const NoValidAnalysis&) {
    guess = 64;
  }
  return largest_holding(guess, limit, affordable_by(options));
}

}  // namespace sotto::accounting
