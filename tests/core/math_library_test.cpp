// The one assumption of docs/numerics.md: how well the C library computes a few functions, on the
// ranges on which accounting asks for them.
#include <gtest/gtest.h>

#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/expm1.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <cmath>
#include <cstdlib>
#include <random>

#include "tests/core/exact_numbers.h"

namespace sotto {
namespace {

int points() { return std::getenv("SOTTO_SLOW_TESTS") != nullptr ? 200'000 : 3000; }

// The largest error over random arguments from `low` to `high`; if both are positive, uniform in
// the logarithm.
template <typename Function, typename ExactFunction>
double worst_ulps(Function function, ExactFunction exact, double low, double high) {
  std::mt19937_64 generator(20261117);
  const bool spread = low > 0;
  std::uniform_real_distribution<double> uniform(spread ? std::log(low) : low,
                                                 spread ? std::log(high) : high);
  double worst = 0;
  for (int i = 0; i < points(); ++i) {
    const double drawn = uniform(generator);
    const double x = spread ? std::exp(drawn) : drawn;
    worst = std::max(worst, error_in_ulps(function(x), exact(Exact(x))));
  }
  return worst;
}

constexpr double kErfc = 8;
constexpr double kOthers = 2;
constexpr double kCircle = 1;

TEST(MathLibrary, ErfcIsGoodToEightUlp) {
  const auto ours = [](double x) { return std::erfc(x); };
  const auto exact = [](const Exact& x) -> Exact { return boost::math::erfc(x); };
  EXPECT_LE(worst_ulps(ours, exact, 0, 1), kErfc);
  EXPECT_LE(worst_ulps(ours, exact, 1e-8, 26), kErfc);
}

TEST(MathLibrary, ExponentialsAndLogarithmsAreGoodToTwoUlp) {
  const auto exp_ours = [](double x) { return std::exp(x); };
  const auto exp_exact = [](const Exact& x) -> Exact { return exp(x); };
  EXPECT_LE(worst_ulps(exp_ours, exp_exact, -700, 700), kOthers);
  EXPECT_LE(worst_ulps(exp_ours, exp_exact, -1, 1), kOthers);
  const auto log_ours = [](double x) { return std::log(x); };
  const auto log_exact = [](const Exact& x) -> Exact { return log(x); };
  EXPECT_LE(worst_ulps(log_ours, log_exact, 1e-300, 1e300), kOthers);
  EXPECT_LE(worst_ulps(log_ours, log_exact, 0.5, 2), kOthers);
  const auto expm1_ours = [](double x) { return std::expm1(x); };
  const auto expm1_exact = [](const Exact& x) -> Exact { return boost::math::expm1(x); };
  EXPECT_LE(worst_ulps(expm1_ours, expm1_exact, -40, 0), kOthers);
  EXPECT_LE(worst_ulps(expm1_ours, expm1_exact, 1e-12, 600), kOthers);
  const auto log1p_ours = [](double x) { return std::log1p(x); };
  const auto log1p_exact = [](const Exact& x) -> Exact { return boost::math::log1p(x); };
  EXPECT_LE(worst_ulps(log1p_ours, log1p_exact, -0.9, 0), kOthers);
  EXPECT_LE(worst_ulps(log1p_ours, log1p_exact, 1e-12, 1e12), kOthers);
}

TEST(MathLibrary, SineAndCosineAreGoodToOneUlpInTheFirstOctant) {
  const double octant = std::acos(-1.0) / 4;
  EXPECT_LE(worst_ulps([](double x) { return std::sin(x); },
                       [](const Exact& x) -> Exact { return sin(x); }, 1e-7, octant),
            kCircle);
  EXPECT_LE(worst_ulps([](double x) { return std::cos(x); },
                       [](const Exact& x) -> Exact { return cos(x); }, 0, octant),
            kCircle);
}

}  // namespace
}  // namespace sotto
