#include "core/distributions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/core/kolmogorov.h"

namespace sotto {
namespace {

double laplace_cdf(double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; }

constexpr std::size_t kSamples = 200'000;

TEST(Distributions, Uniform) {
  SeededRandomNotPrivate random(1);
  const auto sample = sample_of(kSamples, [&] { return draw_uniform(random); });
  EXPECT_LT(kolmogorov_statistic(sample, [](double x) { return x; }), 2.2);
  EXPECT_GE(*std::min_element(sample.begin(), sample.end()), 0);
  EXPECT_LT(*std::max_element(sample.begin(), sample.end()), 1);
}

TEST(Distributions, Laplace) {
  SeededRandomNotPrivate random(4);
  const auto sample = sample_of(kSamples, [&] { return draw_laplace(0.5, random); });
  EXPECT_LT(kolmogorov_statistic(sample, [](double x) { return laplace_cdf(2 * x); }), 2.2);
}

TEST(Distributions, TheStatisticCatchesTheWrongScale) {
  SeededRandomNotPrivate random(5);
  const auto sample = sample_of(kSamples, [&] { return draw_laplace(1.05, random); });
  EXPECT_GT(kolmogorov_statistic(sample, laplace_cdf), 2.2);
}

TEST(Distributions, SecureNoiseHasTheRightVariance) {
  SecureRandom random;
  double sum_of_squares = 0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const double x = draw_laplace(1, random);
    sum_of_squares += x * x;
  }
  // Seven standard deviations of a mean of squares, whose variance is 20.
  EXPECT_NEAR(sum_of_squares / kSamples, 2, 7 * std::sqrt(20.0 / kSamples));
}

}  // namespace
}  // namespace sotto
