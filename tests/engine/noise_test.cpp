#include "engine/noise.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

namespace sotto {
namespace {

TEST(NoiseTest, HasTheRightMeanDeviationAndTails) {
  Noise noise;
  EXPECT_TRUE(noise.is_private());
  constexpr std::int64_t kCount = 1 << 20;
  const torch::Tensor sum = torch::full({kCount}, 6, torch::kDouble);
  const torch::Tensor noised = noise.release(sum, 0.5, 2, 4, torch::kFloat);
  EXPECT_EQ(noised.scalar_type(), torch::kFloat);
  const auto values = (noised.to(torch::kDouble) * 4 - 3) / 2;  // standard normal
  const double n = kCount;
  EXPECT_NEAR(values.mean().item<double>(), 0, 7 / std::sqrt(n));
  EXPECT_NEAR(values.var().item<double>(), 1, 7 * std::sqrt(2 / n));
  EXPECT_NEAR(values.pow(4).mean().item<double>(), 3, 7 * std::sqrt(96 / n));
  for (const double t : {1.0, 2.0, 3.0}) {
    const double p = std::erfc(t / std::sqrt(2.0));
    EXPECT_NEAR((values.abs() > t).to(torch::kDouble).mean().item<double>(), p,
                7 * std::sqrt(p / n));
  }
}

TEST(NoiseTest, NeighboursInMemoryAreIndependent) {
  Noise noise;
  const torch::Tensor sum =
      noise.release(torch::zeros({1 << 20}, torch::kDouble), 1, 1, 1, torch::kDouble);
  for (const std::int64_t lag : {1, 512, 1024, 8192}) {
    const auto n = sum.size(0) - lag;
    const double correlation = (sum.narrow(0, 0, n) * sum.narrow(0, lag, n)).mean().item<double>();
    EXPECT_NEAR(correlation, 0, 7 / std::sqrt(static_cast<double>(n))) << lag;
  }
}

// Never: the same noise twice.
TEST(NoiseTest, IsFreshEveryTimeAndInEveryObject) {
  Noise first;
  Noise second;
  const auto draw = [](Noise& noise) {
    return noise.release(torch::zeros({64}, torch::kDouble), 1, 1, 1, torch::kDouble);
  };
  const torch::Tensor a = draw(first);
  // Multiples of 1/4096 meet by chance now and then.
  EXPECT_LT((a == draw(first)).sum().item<int>(), 8);
  EXPECT_LT((a == draw(second)).sum().item<int>(), 8);
}

TEST(NoiseTest, SeededNoiseDoesNotDependOnThreadsAndIsNotPrivate) {
  const int threads = at::get_num_threads();
  std::vector<torch::Tensor> results;
  for (const int count : {1, 2}) {
    at::set_num_threads(count);
    Noise noise(17);
    EXPECT_FALSE(noise.is_private());
    results.push_back(
        noise.release(torch::zeros({100000}, torch::kDouble), 1, 1, 1, torch::kFloat));
  }
  at::set_num_threads(threads);
  EXPECT_TRUE(torch::equal(results[0], results[1]));
}

// Never: noise or sum rounded to the parameters' precision before they meet.
TEST(NoiseTest, IsAddedInDoublePrecisionAndRoundedOnce) {
  const torch::Tensor values = (torch::rand({1 << 16}, torch::kDouble) * 1e7).trunc();
  const torch::Tensor rounded = Noise(5).release(values, 0x1p-14, 0.3, 7, torch::kFloat);
  const torch::Tensor exact = Noise(5).release(values, 0x1p-14, 0.3, 7, torch::kDouble);
  EXPECT_TRUE(torch::equal(rounded, exact.to(torch::kFloat)));
}

// The sum may be known; what is published lies on one grid for all sums, so that its last bits say
// nothing about it (Mironov 2012).
TEST(NoiseTest, EveryResultIsOnTheGridOfTheDeviation) {
  Noise noise;
  const torch::Tensor values = (torch::rand({4096}, torch::kDouble) * 1e7).trunc();
  const torch::Tensor noised = noise.release(values, 0x1p-20, 0.3, 1, torch::kDouble);
  const torch::Tensor steps = noised * 0x1p12;  // 0.3 / 1024 is between 2^-12 and 2^-11
  EXPECT_TRUE(steps.equal(steps.round()));
  EXPECT_FALSE((steps / 2).equal((steps / 2).round()));
}

TEST(NoiseTest, OneNumberHasTheSameNoise) {
  Noise noise(23);
  double sum = 0;
  double squares = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const double off = noise.release(4.5, 3) - 4.5;
    sum += off;
    squares += off * off;
  }
  EXPECT_NEAR(sum / kDraws, 0, 5 * 3 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 9, 5 * 9 * std::sqrt(2.0 / kDraws));
}

}  // namespace
}  // namespace sotto
