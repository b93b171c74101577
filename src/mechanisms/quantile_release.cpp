#include "sotto/mechanisms/releases.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mechanisms/decimal.h"
#include "sotto/core/error.h"
#include "sotto/mechanisms/integer_noise.h"

namespace sotto::mechanisms {

namespace {

constexpr double kRankTail = 0.05;

Decimal step_of(const ValueBounds& bounds, std::optional<double> step) {
  if (step) {
    check_argument(*step > 0 && std::isfinite(*step), "grid must be positive, got ", *step);
    return Decimal(*step);
  }
  return shifted(Decimal(bounds.high()) - Decimal(bounds.low()), 3);
}

std::int64_t last_candidate(const ValueBounds& bounds, const Decimal& step) {
  const Decimal range = Decimal(bounds.high()) - Decimal(bounds.low());
  const BigInteger steps = whole_quotient(range, step);
  check_argument(steps >= 1, "grid ", step.nearest(), " is too coarse for the bounds ",
                 bounds.low(), " and ", bounds.high(), "; accepted: at most ", range.nearest());
  check_argument(steps < QuantileRelease::kMostCandidates, "grid ", step.nearest(),
                 " is too fine for the bounds ", bounds.low(), " and ", bounds.high(),
                 "; accepted: at least ", range.nearest() / (QuantileRelease::kMostCandidates - 1));
  return static_cast<std::int64_t>(steps);
}

double used_epsilon(const accounting::EpsilonDelta& budget) {
  check_argument(budget.epsilon > 0 && std::isfinite(budget.epsilon),
                 "epsilon must be positive, got ", budget.epsilon);
  check_argument(budget.delta == 0, "a quantile needs no delta, got ", budget.delta);
  return budget.epsilon * (1 - IntegerNoise::kMargin);
}

Fraction share(double quantile) {
  check_argument(quantile > 0 && quantile < 1, "a quantile must be between 0 and 1, got ",
                 quantile);
  return Decimal(quantile).fraction();
}

}  // namespace

struct QuantileRelease::Law {
  ValueBounds bounds;
  Decimal low;
  Decimal step;
  std::int64_t last;
  Fraction quantile;
  BigInteger twice_sensitivity;  // times the quantile's denominator
  double epsilon;
  Fraction exact_epsilon;

  Law(double the_quantile, const ValueBounds& the_bounds, std::optional<double> the_step,
      const accounting::EpsilonDelta& budget)
      : bounds(the_bounds),
        low(bounds.low()),
        step(step_of(bounds, the_step)),
        last(last_candidate(bounds, step)),
        quantile(share(the_quantile)),
        twice_sensitivity(2 * std::max(quantile.numerator,
                                       BigInteger(quantile.denominator - quantile.numerator))),
        epsilon(used_epsilon(budget)),
        exact_epsilon(exact_fraction(epsilon)) {}

  // Of every candidate, times the quantile's denominator, so that they are whole numbers. The ranks
  // of all candidates together are 0 to n, without gaps: one of them has the loss 0.
  std::vector<BigInteger> losses(const std::vector<std::int64_t>& counts) const {
    const std::int64_t n = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    const BigInteger asked = quantile.numerator * n;
    std::vector<BigInteger> all;
    all.reserve(counts.size());
    BigInteger lowest = 0;
    for (const auto count : counts) {
      const BigInteger highest = lowest + quantile.denominator * count;
      const BigInteger nearest_rank = std::clamp(asked, lowest, highest);
      all.emplace_back(asked > nearest_rank ? asked - nearest_rank : nearest_rank - asked);
      lowest = highest;
    }
    return all;
  }

  // e^-exponent is the weight of a candidate with this loss.
  Fraction exponent(const BigInteger& loss) const {
    return {exact_epsilon.numerator * loss, exact_epsilon.denominator * twice_sensitivity};
  }
};

QuantileRelease::QuantileRelease(double quantile, const ValueBounds& bounds,
                                 std::optional<double> step, const accounting::EpsilonDelta& budget)
    : law_(std::make_shared<Law>(quantile, bounds, step, budget)) {}

std::size_t QuantileRelease::candidates() const { return static_cast<std::size_t>(law_->last) + 1; }

std::size_t QuantileRelease::nearest(double value) const {
  const double steps = (law_->bounds.clamp(value) - law_->bounds.low()) / law_->step.nearest();
  return static_cast<std::size_t>(std::clamp<std::int64_t>(std::llround(steps), 0, law_->last));
}

double QuantileRelease::candidate(std::size_t index) const {
  return (law_->low + law_->step * static_cast<std::int64_t>(index)).nearest();
}

// Rejection: a candidate by an honest die, kept with probability e^-exponent. No exponent has to be
// computed, and since one of them is 0, it takes at most as many dice as candidates on average.
Release QuantileRelease::release(const std::vector<std::int64_t>& counts,
                                 RandomSource& random) const {
  const auto losses = law_->losses(counts);
  const BigInteger sides = losses.size();
  while (true) {
    const auto index = static_cast<std::size_t>(draw_below(sides, random));
    if (!draw_exponential_coin(law_->exponent(losses[index]), random)) continue;
    return {candidate(index), std::nan(""), law_->bounds.low(), law_->bounds.high(),
            rank_error(kRankTail)};
  }
}

std::vector<double> QuantileRelease::probabilities(const std::vector<std::int64_t>& counts) const {
  std::vector<double> weights;
  double sum = 0;
  for (const auto& loss : law_->losses(counts)) {
    const auto [numerator, denominator] = law_->exponent(loss);
    weights.push_back(std::exp(
        -boost::multiprecision::cpp_rational(numerator, denominator).convert_to<double>()));
    sum += weights.back();
  }
  for (auto& weight : weights) weight /= sum;
  return weights;
}

double QuantileRelease::sensitivity() const {
  return boost::multiprecision::cpp_rational(law_->twice_sensitivity,
                                             2 * law_->quantile.denominator)
      .convert_to<double>();
}

// A candidate of loss 0 has the weight 1, and each of the others with a loss above t less than
// e^(-ε t / 2Δ): together they have the probability (candidates - 1) e^(-ε t / 2Δ) at most.
double QuantileRelease::rank_error(double tail) const {
  const auto others = static_cast<double>(law_->last);
  return 2 * sensitivity() * std::max(0.0, std::log(others / tail)) / law_->epsilon;
}

}  // namespace sotto::mechanisms
