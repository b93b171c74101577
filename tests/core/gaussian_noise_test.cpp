#include "core/gaussian_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/normal.h"
#include "tests/core/kolmogorov.h"

namespace sotto {
namespace {

constexpr double kDeviations[] = {1, 3, 0.999, 4096, 1e-12, 7e20, 1e-290, 1e300};

TEST(GaussianNoise, StepsArePowersOfTwoOfAThousandthOfTheDeviation) {
  for (const double deviation : kDeviations) {
    int exponent = 0;
    EXPECT_EQ(std::frexp(rounding_step(deviation), &exponent), 0.5) << deviation;
    EXPECT_GE(deviation / rounding_step(deviation), 1024) << deviation;
    EXPECT_LT(deviation / rounding_step(deviation), 2048) << deviation;
  }
}

TEST(GaussianNoise, IsNormalAroundTheValue) {
  SeededRandomNotPrivate random(2);
  for (const double deviation : {3.0, 1e-12, 7e20}) {
    const double value = 1.3 * deviation;
    const auto sample =
        sample_of(100'000, [&] { return add_gaussian(value, deviation, random) / deviation; });
    EXPECT_LT(kolmogorov_statistic(sample, [](double x) { return normal_cdf(x - 1.3); }), 2.2);
    EXPECT_GT(kolmogorov_statistic(sample, [](double x) { return normal_cdf(x - 1.32); }), 2.2);
  }
}

TEST(GaussianNoise, TailIsNotCutOff) {
  SeededRandomNotPrivate random(3);
  const std::size_t draws = 1'000'000;
  std::size_t beyond = 0;
  for (std::size_t i = 0; i < draws; ++i)
    beyond += std::abs(add_gaussian(0, 1, random)) > 4 ? 1 : 0;
  const double expected = static_cast<double>(draws) * 2 * normal_cdf(-4);
  EXPECT_NEAR(static_cast<double>(beyond), expected, 5 * std::sqrt(expected));
}

// The value's own low digits would tell it apart from its neighbours.
TEST(GaussianNoise, WhatIsReleasedIsAMultipleOfTheStep) {
  SeededRandomNotPrivate random(4);
  for (const double value : {0.0, 0.1, -1234.567, 1e9 / 3}) {
    for (int i = 0; i < 100; ++i) {
      const double steps = add_gaussian(value, 0.7, random) / rounding_step(0.7);
      EXPECT_EQ(steps, std::nearbyint(steps)) << value;
    }
  }
}

TEST(GaussianNoise, HugeValuesAndNoNumbersStayWhatTheyAre) {
  SeededRandomNotPrivate random(5);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(add_gaussian(std::nan(""), 1, random)));
  EXPECT_EQ(add_gaussian(-kInfinite, 1, random), -kInfinite);
  EXPECT_EQ(add_gaussian(1e300, 1e-200, random), 1e300);
  EXPECT_EQ(add_gaussian(1e300, 1, random), 1e300);
  EXPECT_NEAR(add_gaussian(1e15, 1, random), 1e15, 10);
}

}  // namespace
}  // namespace sotto
