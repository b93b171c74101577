#include "core/log_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace sotto {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(LogMath, AddsAndSubtracts) {
  EXPECT_NEAR(log_add(std::log(2.0), std::log(3.0)), std::log(5.0), 1e-15);
  EXPECT_NEAR(log_sub(std::log(5.0), std::log(3.0)), std::log(2.0), 1e-15);
  EXPECT_EQ(log_add(-kInfinity, -kInfinity), -kInfinity);
  EXPECT_EQ(log_add(-kInfinity, 1), 1);
  EXPECT_EQ(log_sub(1, -kInfinity), 1);
  EXPECT_EQ(log_sub(1, 1), -kInfinity);
}

TEST(LogMath, DoesNotOverflow) {
  EXPECT_NEAR(log_add(1e5, 1e5), 1e5 + std::log(2.0), 1e-10);
  const std::vector<double> values{1e6, 1e6, 1e6 - 1e4};
  EXPECT_NEAR(log_sum_exp(values), 1e6 + std::log(2.0), 1e-9);
  EXPECT_EQ(log_sum_exp({}), -kInfinity);
}

TEST(LogMath, OneMinusExponentialKeepsItsDigits) {
  EXPECT_NEAR(log1m_exp(-1e-20), std::log(1e-20), 1e-12);
  EXPECT_NEAR(log1m_exp(-50.0), -std::exp(-50.0), 1e-37);
}

TEST(LogMath, MixtureIsRightForTinyWeightsAndHugeExponents) {
  EXPECT_NEAR(log_mix_exp(0.25, std::log(3.0)), std::log(1.5), 1e-15);
  // 1 + 1e-9 (e^16 - 1): the digits that x + ln(...) would lose.
  EXPECT_NEAR(log_mix_exp(1e-9, 16.0) / std::log1p(1e-9 * std::expm1(16.0)), 1, 1e-14);
  EXPECT_NEAR(log_mix_exp(0.01, 5000.0), 5000 + std::log(0.01), 1e-9);
  EXPECT_EQ(log_mix_exp(1, -45.0), -45.0);
  const double almost = 1 - 0x1p-40;
  EXPECT_NEAR(log_mix_exp(almost, -100.0), std::log(0x1p-40), 1e-13);
  EXPECT_NEAR(log_mix_exp(almost, -20.0), std::log(0x1p-40 + almost * std::exp(-20.0)), 1e-13);
}

TEST(LogMath, UnmixingUndoesMixing) {
  for (const double q : {1e-6, 0.01, 0.3, 0.9, 0.999999, 1.0}) {
    for (const double x : {-36.0, -20.0, -3.0, -0.1, 0.0, 0.2, 5.0, 40.0, 700.0}) {
      const double mixed = log_mix_exp(q, x);
      // The loss, not x, must come back: near ln(1-q) many x have the same.
      EXPECT_NEAR(log_mix_exp(q, log_unmix_exp(q, mixed)), mixed, 1e-15 * (4 + std::abs(mixed)))
          << q << ' ' << x;
    }
  }
}

TEST(LogMath, BinomialsOfAnyOrder) {
  EXPECT_NEAR(log_binomial(10, 3), std::log(120.0), 1e-13);
  EXPECT_NEAR(log_binomial(5000, 2500) / 3461.3, 1, 1e-3);  // a plain double overflows at 1030
}

}  // namespace
}  // namespace sotto
