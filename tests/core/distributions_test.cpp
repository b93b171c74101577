#include "core/distributions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/normal.h"

namespace sotto {
namespace {

// Largest distance between the empirical and the true distribution function, times √n: above 2.2
// with probability 1.2e-4 (Kolmogorov). The seeds are fixed, so the tests do not flicker.
double kolmogorov_statistic(std::vector<double> sample, const std::function<double(double)>& cdf) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double worst = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double p = cdf(sample[i]);
    worst = std::max({worst, std::abs(p - static_cast<double>(i) / n),
                      std::abs(p - static_cast<double>(i + 1) / n)});
  }
  return worst * std::sqrt(n);
}

std::vector<double> sample_of(std::size_t count, const std::function<double()>& draw) {
  std::vector<double> sample(count);
  std::generate(sample.begin(), sample.end(), draw);
  return sample;
}

double laplace_cdf(double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; }

constexpr std::size_t kSamples = 200'000;

TEST(Distributions, Uniform) {
  SeededRandomNotPrivate random(1);
  const auto sample = sample_of(kSamples, [&] { return draw_uniform(random); });
  EXPECT_LT(kolmogorov_statistic(sample, [](double x) { return x; }), 2.2);
  EXPECT_GE(*std::min_element(sample.begin(), sample.end()), 0);
  EXPECT_LT(*std::max_element(sample.begin(), sample.end()), 1);
}

TEST(Distributions, Gaussian) {
  SeededRandomNotPrivate random(2);
  const auto sample = sample_of(kSamples, [&] { return draw_gaussian(3, random); });
  EXPECT_LT(kolmogorov_statistic(sample, [](double x) { return normal_cdf(x / 3); }), 2.2);
}

TEST(Distributions, GaussianTailIsNotCutOff) {
  SeededRandomNotPrivate random(3);
  const std::size_t draws = 4'000'000;
  std::size_t beyond = 0;
  for (std::size_t i = 0; i < draws; ++i) beyond += std::abs(draw_gaussian(1, random)) > 4 ? 1 : 0;
  const double expected = static_cast<double>(draws) * 2 * normal_cdf(-4);
  EXPECT_NEAR(static_cast<double>(beyond), expected, 5 * std::sqrt(expected));
}

TEST(Distributions, Laplace) {
  SeededRandomNotPrivate random(4);
  const auto sample = sample_of(kSamples, [&] { return draw_laplace(0.5, random); });
  EXPECT_LT(kolmogorov_statistic(sample, [](double x) { return laplace_cdf(2 * x); }), 2.2);
}

TEST(Distributions, TheStatisticCatchesTheWrongScale) {
  SeededRandomNotPrivate random(5);
  const auto sample = sample_of(kSamples, [&] { return draw_gaussian(1.02, random); });
  EXPECT_GT(kolmogorov_statistic(sample, normal_cdf), 2.2);
}

TEST(Distributions, SecureNoiseHasTheRightVariance) {
  SecureRandom random;
  double sum_of_squares = 0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const double x = draw_gaussian(1, random);
    sum_of_squares += x * x;
  }
  // Seven standard deviations of a χ² mean.
  EXPECT_NEAR(sum_of_squares / kSamples, 1, 7 * std::sqrt(2.0 / kSamples));
}

}  // namespace
}  // namespace sotto
