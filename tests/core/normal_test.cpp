#include "core/normal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sotto {
namespace {

TEST(Normal, CdfAndItsLogarithm) {
  EXPECT_NEAR(normal_cdf(0), 0.5, 1e-16);
  EXPECT_NEAR(normal_cdf(1.959963984540054), 0.975, 1e-15);
  EXPECT_NEAR(log_normal_cdf(-3), std::log(normal_cdf(-3)), 1e-14);
  EXPECT_NEAR(log_normal_cdf(6), -normal_cdf(-6), 1e-18);
}

TEST(Normal, LogarithmIsSmoothWhereTheMethodChanges) {
  const double left = log_normal_cdf(-8 - 1e-9);
  const double right = log_normal_cdf(-8 + 1e-9);
  EXPECT_NEAR((right - left) / 2e-9, 8.12137, 1e-3);  // φ(8)/Φ(-8)
}

TEST(Normal, LogarithmGoesFarBelowUnderflow) {
  // -x²/2 - ln(x√2π) - 1/x² + ...
  const double x = 1e4;
  EXPECT_NEAR(log_normal_cdf(-x), -0.5 * x * x - std::log(x) - 0.918938533204673 - 1 / (x * x),
              1e-7);
}

TEST(Normal, QuantileInvertsTheTail) {
  for (const double tail : {0.3, 1e-5, 1e-100, 1e-290}) {
    EXPECT_NEAR(log_normal_cdf(-normal_upper_quantile(tail)), std::log(tail), 1e-9);
  }
}

}  // namespace
}  // namespace sotto
