#include "private/noise.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

namespace sotto {
namespace {

TEST(NoiseTest, HasTheRightMeanDeviationAndTails) {
  Noise noise;
  EXPECT_TRUE(noise.is_private());
  constexpr std::int64_t kCount = 1 << 20;
  torch::Tensor sum = torch::full({kCount}, 3.0F);
  noise.add_and_divide(sum, 2, 4);
  const auto values = (sum.to(torch::kDouble) * 4 - 3) / 2;  // standard normal
  const double n = kCount;
  EXPECT_NEAR(values.mean().item<double>(), 0, 5 / std::sqrt(n));
  EXPECT_NEAR(values.var().item<double>(), 1, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(values.pow(4).mean().item<double>(), 3, 5 * std::sqrt(96 / n));
  for (const double t : {1.0, 2.0, 3.0}) {
    const double p = std::erfc(t / std::sqrt(2.0));
    EXPECT_NEAR((values.abs() > t).to(torch::kDouble).mean().item<double>(), p,
                5 * std::sqrt(p / n));
  }
}

TEST(NoiseTest, NeighboursInMemoryAreIndependent) {
  Noise noise;
  torch::Tensor sum = torch::zeros({1 << 20}, torch::kDouble);
  noise.add_and_divide(sum, 1, 1);
  for (const std::int64_t lag : {1, 512, 1024, 8192}) {
    const auto n = sum.size(0) - lag;
    const double correlation = (sum.narrow(0, 0, n) * sum.narrow(0, lag, n)).mean().item<double>();
    EXPECT_NEAR(correlation, 0, 5 / std::sqrt(static_cast<double>(n))) << lag;
  }
}

// Never: the same noise twice.
TEST(NoiseTest, IsFreshEveryTimeAndInEveryObject) {
  Noise first;
  Noise second;
  torch::Tensor a = torch::zeros({64}, torch::kDouble);
  torch::Tensor b = torch::zeros({64}, torch::kDouble);
  torch::Tensor c = torch::zeros({64}, torch::kDouble);
  first.add_and_divide(a, 1, 1);
  first.add_and_divide(b, 1, 1);
  second.add_and_divide(c, 1, 1);
  EXPECT_FALSE((a == b).any().item<bool>());
  EXPECT_FALSE((a == c).any().item<bool>());
}

TEST(NoiseTest, SeededNoiseDoesNotDependOnThreadsAndIsNotPrivate) {
  const int threads = at::get_num_threads();
  std::vector<torch::Tensor> results;
  for (const int count : {1, 2}) {
    at::set_num_threads(count);
    Noise noise(17);
    EXPECT_FALSE(noise.is_private());
    torch::Tensor sum = torch::zeros({100000});
    noise.add_and_divide(sum, 1, 1);
    results.push_back(sum);
  }
  at::set_num_threads(threads);
  EXPECT_TRUE(torch::equal(results[0], results[1]));
}

// Never: noise or sum rounded to the parameters' precision before they meet.
TEST(NoiseTest, IsAddedInDoublePrecisionAndRoundedOnce) {
  const torch::Tensor values = torch::rand({1 << 16}) * 100;
  torch::Tensor rounded = values.clone();
  torch::Tensor exact = values.to(torch::kDouble);
  Noise(5).add_and_divide(rounded, 0.3, 7);
  Noise(5).add_and_divide(exact, 0.3, 7);  // the same noise
  EXPECT_TRUE(torch::equal(rounded, exact.to(torch::kFloat)));
}

TEST(NoiseTest, TellsWhetherTheResultIsFinite) {
  for (const auto type : {torch::kFloat, torch::kDouble}) {
    for (const std::int64_t place : {0, 4095, 9999}) {
      torch::Tensor sum = torch::full({10'000}, -1e30, type);
      EXPECT_TRUE(Noise().add_and_divide(sum, 1, 2));
      for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        torch::Tensor spoilt = sum.clone();
        spoilt[place] = bad;
        EXPECT_FALSE(Noise().add_and_divide(spoilt, 1, 2)) << bad << " at " << place;
      }
    }
  }
}

}  // namespace
}  // namespace sotto
