// The discrete samplers have exactly the distributions they are said to have.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "mechanisms/exact_coin.h"
#include "sotto/core/error.h"
#include "sotto/mechanisms/integer_noise.h"
#include "tests/mechanisms/chi_square.h"

namespace sotto::mechanisms {
namespace {

template <typename Noise>
void expect_sampled(const Noise& noise, std::int64_t reach, std::uint64_t seed) {
  SeededRandomNotPrivate random(seed);
  expect_distribution(
      40000, [&] { return noise.draw(random); },
      [&](std::int64_t x) { return noise.probability(x); }, reach);
}

TEST(ExactCoin, IsWrittenAsTheFractionThatTheDoubleIs) {
  for (const double value : {0.1, 1.0, 3.0, 0x1p60, 0x1p-1074, 1e300, 0.0}) {
    const auto fraction = exact_fraction(value);
    EXPECT_EQ(fraction.numerator.convert_to<double>() / fraction.denominator.convert_to<double>(),
              value == 0x1p-1074 ? 0 : value)
        << value;
  }
  EXPECT_EQ(exact_fraction(0.75).numerator * 4, exact_fraction(0.75).denominator * 3);
}

TEST(ExactCoin, DrawsEveryNumberBelowTheLimitEquallyOften) {
  for (const int limit : {1, 2, 3, 7, 64, 100}) {
    SeededRandomNotPrivate random(1);
    if (limit == 1) {
      EXPECT_EQ(draw_below(1, random), 0);
      continue;
    }
    expect_distribution(
        20000, [&] { return draw_below(limit, random).convert_to<std::int64_t>(); },
        [&](std::int64_t x) { return x >= 0 && x < limit ? 1.0 / limit : 0; }, limit);
  }
}

TEST(ExactCoin, ComesUpWithProbabilityExp) {
  for (const auto& [numerator, denominator] : {std::pair{0, 1}, {1, 3}, {1, 1}, {7, 4}, {5, 1}}) {
    SeededRandomNotPrivate random(2);
    constexpr int kDraws = 40000;
    int found = 0;
    for (int i = 0; i < kDraws; ++i) {
      found += draw_exponential_coin({numerator, denominator}, random) ? 1 : 0;
    }
    const double p = std::exp(-static_cast<double>(numerator) / denominator);
    EXPECT_NEAR(found, kDraws * p, 6.2 * std::sqrt(kDraws * p * (1 - p))) << p;  // 1e-9
  }
}

TEST(DiscreteLaplace, IsSampledExactly) {
  expect_sampled(DiscreteLaplace(1, 1), 20, 3);
  expect_sampled(DiscreteLaplace(1, 0.1), 200, 4);
  expect_sampled(DiscreteLaplace(1, 4), 10, 5);
  expect_sampled(DiscreteLaplace(7, 0.3), 400, 6);
  expect_sampled(DiscreteLaplace(2, M_LN2), 50, 7);
}

TEST(DiscreteGaussian, IsSampledExactly) {
  expect_sampled(DiscreteGaussian(0.5), 10, 8);
  expect_sampled(DiscreteGaussian(1), 20, 9);
  expect_sampled(DiscreteGaussian(3.7), 40, 10);
  expect_sampled(DiscreteGaussian(50.25), 400, 11);
}

template <typename Noise>
void expect_moments_of(const Noise& noise, double largest_deviation) {
  double total = 0;
  double variance = 0;
  for (std::int64_t x = -3000; x <= 3000; ++x) {
    total += noise.probability(x);
    variance += noise.probability(x) * static_cast<double>(x * x);
  }
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_LE(std::sqrt(variance), largest_deviation * (1 + 1e-9));
  if (largest_deviation > 0.5) {
    EXPECT_GE(std::sqrt(variance), 0.98 * largest_deviation);
  }
  for (const double tail : {0.5, 0.05, 1e-3}) {
    const auto width = static_cast<std::int64_t>(noise.half_width(tail));
    double inside = 0;
    for (std::int64_t x = -width; x <= width; ++x) inside += noise.probability(x);
    EXPECT_GE(inside, 1 - tail - 1e-12);
  }
}

TEST(DiscreteNoise, SaysItsOwnSpread) {
  for (const double epsilon : {0.05, 0.5, 1.0, 3.0}) {
    const DiscreteLaplace laplace(1, epsilon);
    expect_moments_of(laplace, laplace.standard_deviation());
    const DiscreteGaussian gaussian(1 / epsilon);
    expect_moments_of(gaussian, gaussian.standard_deviation());
  }
}

// The definition itself: the ratio of probabilities at two neighbouring answers.
TEST(DiscreteLaplace, IsEpsilonPrivateAtItsSensitivity) {
  for (const double epsilon : {0.1, 1.0, 2.5}) {
    const DiscreteLaplace noise(5, epsilon);
    for (std::int64_t x = -60; x <= 60; ++x) {
      const double ratio = noise.probability(x) / noise.probability(x - 5);
      EXPECT_LE(std::abs(std::log(ratio)), epsilon * (1 + 1e-12));
    }
  }
}

// δ(ε) of a shift by the sensitivity, summed over all outcomes, in both directions alike.
double exact_delta(const DiscreteGaussian& noise, std::int64_t shift, double epsilon) {
  double delta = 0;
  const auto reach = static_cast<std::int64_t>(40 * noise.sigma()) + shift;
  for (std::int64_t x = -reach; x <= reach; ++x) {
    delta += std::max(0.0, noise.probability(x) - std::exp(epsilon) * noise.probability(x - shift));
  }
  return delta;
}

TEST(DiscreteGaussian, IsPrivateAsCalibrated) {
  for (const std::int64_t sensitivity : {1, 3, 20}) {
    for (const double epsilon : {0.2, 1.0, 4.0}) {
      const auto noise = DiscreteGaussian::for_budget(sensitivity, {epsilon, 1e-6});
      const double delta = exact_delta(noise, sensitivity, epsilon);
      EXPECT_LE(delta, 1e-6);
      const DiscreteGaussian less(0.75 * noise.sigma());
      EXPECT_GT(exact_delta(less, sensitivity, epsilon), 1e-6);  // and not by far too much noise
    }
  }
}

// Fine grids: steps are so small that only moments can be seen.
TEST(DiscreteNoise, KeepsItsScaleOnFineGrids) {
  SeededRandomNotPrivate random(12);
  const IntegerNoise noise(NoiseKind::kLaplace, std::int64_t{1} << 33U, {0.1, 0});
  constexpr int kDraws = 4000;
  double square = 0;
  for (int i = 0; i < kDraws; ++i) square += std::pow(static_cast<double>(noise.draw(random)), 2);
  // The variance of a square is 5 variances squared: six sigma and more.
  EXPECT_NEAR(std::sqrt(square / kDraws) / noise.standard_deviation(), 1, 0.12);
}

TEST(DiscreteNoise, RefusesWhatItCannotDo) {
  EXPECT_THROW(DiscreteLaplace(0, 1), InvalidArgument);
  EXPECT_THROW(DiscreteLaplace(1, 0), InvalidArgument);
  EXPECT_THROW(DiscreteLaplace(1, std::nan("")), InvalidArgument);
  EXPECT_THROW(DiscreteLaplace(1, 1e-300), InvalidArgument);
  EXPECT_THROW(DiscreteLaplace(1, INFINITY), InvalidArgument);
  EXPECT_THROW(DiscreteGaussian(0), InvalidArgument);
  EXPECT_THROW(DiscreteGaussian(std::nan("")), InvalidArgument);
  EXPECT_THROW(DiscreteGaussian::for_budget(1, {1, 0}), InvalidArgument);
  EXPECT_THROW(IntegerNoise(NoiseKind::kLaplace, 1, {1, 1e-6}), InvalidArgument);
  EXPECT_THROW(IntegerNoise(NoiseKind::kGaussian, 1, {1, 0}), InvalidArgument);
  EXPECT_THROW(noise_kind_from_name("uniform"), InvalidArgument);
}

// Rounding of budgets summed up elsewhere is paid for by a little more noise here.
TEST(IntegerNoise, KeepsAMarginOfItsBudget) {
  const IntegerNoise noise(NoiseKind::kLaplace, 1, {0.1, 0});
  EXPECT_GT(noise.standard_deviation(), DiscreteLaplace(1, 0.1).standard_deviation());
  EXPECT_LT(noise.standard_deviation(), DiscreteLaplace(1, 0.0999999).standard_deviation());
}

}  // namespace
}  // namespace sotto::mechanisms
