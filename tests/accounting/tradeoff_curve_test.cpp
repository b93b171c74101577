#include "sotto/accounting/tradeoff_curve.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>

#include "accounting/directed_composition.h"
#include "accounting/event_losses.h"
#include "core/normal.h"
#include "sotto/accounting/accountants.h"
#include "sotto/accounting/theorems.h"
#include "sotto/core/error.h"

namespace sotto::accounting {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The Gaussian mechanism's own curve (Dong, Roth, Su 2019, equation 6).
double gaussian_true_positive_rate(double mu, double false_positive_rate) {
  return normal_cdf(mu - normal_upper_quantile(false_positive_rate));
}

void expect_shape_of_a_curve(const TradeoffCurve& curve) {
  double last = 0;
  double last_slope = kInfinity;
  for (int i = 0; i <= 1000; ++i) {
    const double rate = i / 1000.0;
    const double caught = curve.true_positive_rate(rate);
    EXPECT_GE(caught, rate);
    EXPECT_LE(caught, 1);
    if (i > 0) {
      EXPECT_GE(caught, last);
      EXPECT_LE(caught - last, last_slope + 1e-12) << "not concave at " << rate;
      last_slope = caught - last;
    }
    EXPECT_LE(caught - rate, curve.advantage() + 1e-12);
    last = caught;
  }
}

TEST(TradeoffCurve, OfGaussiansIsTheClosedFormFromAbove) {
  for (const double mu : {0.01, 0.3, 1.0, 4.0}) {
    const auto curve = tradeoff_of(Composition(GaussianEvent(3 / mu), 9), Neighbours());
    for (const double rate : {1e-4, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.9, 0.999}) {
      const double exact = gaussian_true_positive_rate(mu, rate);
      EXPECT_GE(curve.true_positive_rate(rate), exact * (1 - 1e-12)) << mu << ' ' << rate;
      EXPECT_LE(curve.true_positive_rate(rate), exact * (1 + 1e-3)) << mu << ' ' << rate;
    }
    expect_shape_of_a_curve(curve);
    EXPECT_NEAR(curve.advantage(), 2 * normal_cdf(mu / 2) - 1, 1e-9);
  }
}

// The transform does not know that full batches have a closed form.
TEST(TradeoffCurve, OneTransformGivesAllDeltas) {
  for (const double mu : {0.02, 0.5, 2.0, 6.0}) {
    for (const std::int64_t steps : {1, 50, 10'000}) {
      const double noise = std::sqrt(static_cast<double>(steps)) / mu;
      const auto source = loss_sources(GaussianEvent(noise), Neighbours()).forward;
      const DirectedComposition composed({{source, steps}}, PldAccountant::kSmallestCurveDelta,
                                         std::size_t{1} << 19U);
      std::vector<double> epsilons;
      for (int i = 0; i <= 40; ++i) {
        epsilons.push_back(gaussian_epsilon(1 / mu, 1e-7) * i / 40);
      }
      const auto deltas = composed.upper_deltas(epsilons);
      for (std::size_t i = 0; i < epsilons.size(); ++i) {
        const double exact = gaussian_delta(1 / mu, epsilons[i]);
        EXPECT_GE(deltas[i], exact * (1 - 1e-9)) << mu << ' ' << steps << ' ' << epsilons[i];
        EXPECT_LE(deltas[i], exact * (1 + 3e-3) + 1e-8) << mu << ' ' << steps << ' ' << epsilons[i];
      }
    }
  }
}

// Counting how often the output exceeds a threshold is one particular test.
TEST(TradeoffCurve, NoAttackLiesAboveIt) {
  for (const double q : {0.01, 0.2}) {
    for (const std::int64_t steps : {10, 1000}) {
      const double sigma = 0.7;
      const auto curve =
          tradeoff_of(Composition(PoissonGaussianEvent(q, sigma), steps), Neighbours());
      expect_shape_of_a_curve(curve);
      const double without = normal_cdf(-1.5);
      const double with = (1 - q) * without + q * normal_cdf(1 / sigma - 1.5);
      const boost::math::binomial member(static_cast<double>(steps), with);
      const boost::math::binomial outsider(static_cast<double>(steps), without);
      double best = 0;
      for (std::int64_t count = 0; count < steps; ++count) {
        const double accused = cdf(complement(outsider, static_cast<double>(count)));
        const double caught = cdf(complement(member, static_cast<double>(count)));
        EXPECT_LE(caught, curve.true_positive_rate(accused) + 1e-12);
        best = std::max(best, caught - accused);
      }
      EXPECT_GT(best, 0.1 * curve.advantage());  // the attack is not a straw man
    }
  }
}

TEST(TradeoffCurve, OfARunIsFarBetterThanItsPair) {
  const Composition run(PoissonGaussianEvent(64.0 / 60000, 1), 14070);
  const double epsilon = PldAccountant(run, Neighbours()).epsilon(1e-5).upper;
  const auto own = tradeoff_of(run, Neighbours());
  const auto pair = tradeoff_of_pair({epsilon, 1e-5});
  for (const double rate : {1e-4, 1e-3, 0.01, 0.1, 0.5}) {
    EXPECT_LE(own.true_positive_rate(rate), pair.true_positive_rate(rate) * (1 + 1e-3));
  }
  EXPECT_LT(own.true_positive_rate(0.1), 0.9 * pair.true_positive_rate(0.1));
  EXPECT_FALSE(own.is_of_one_pair());
  EXPECT_TRUE(pair.is_of_one_pair());
}

TEST(TradeoffCurve, OfAPairIsTheRegionOfKairouzOhAndViswanath) {
  const auto curve = tradeoff_of_pair({1, 0.01});
  const double e = std::exp(1);
  EXPECT_NEAR(curve.true_positive_rate(0), 0.01, 1e-12);
  EXPECT_NEAR(curve.true_positive_rate(0.1), 0.01 + e * 0.1, 1e-12);
  EXPECT_NEAR(curve.true_positive_rate(0.6), 1 - (1 - 0.01 - 0.6) / e, 1e-12);
  EXPECT_NEAR(curve.advantage(), (e - 1 + 0.02) / (e + 1), 1e-12);
  expect_shape_of_a_curve(curve);
  expect_shape_of_a_curve(tradeoff_of_pair({0, 0}));
  EXPECT_EQ(tradeoff_of_pair({0, 0}).advantage(), 0);
  EXPECT_EQ(tradeoff_of_pair({kInfinity, 0}).advantage(), 1);
  EXPECT_EQ(tradeoff_of_pair({2000, 0}).true_positive_rate(0), 0);
}

TEST(TradeoffCurve, WithoutNoiseBoundsNothing) {
  const auto curve = tradeoff_of(Composition(GaussianEvent(0), 1), Neighbours());
  EXPECT_EQ(curve.true_positive_rate(0), 1);
  EXPECT_EQ(curve.advantage(), 1);
  const auto faint = tradeoff_of(Composition(PoissonGaussianEvent(0.5, 0.01), 10), Neighbours());
  EXPECT_GT(faint.true_positive_rate(0.01), 0.999);
  const auto nothing = tradeoff_of(Composition(), Neighbours());
  EXPECT_NEAR(nothing.true_positive_rate(0.25), 0.25, 1e-12);
  EXPECT_THROW(curve.true_positive_rate(1.5), InvalidArgument);
  EXPECT_THROW(TradeoffCurve({{-1, 0}}), InvalidArgument);
}

}  // namespace
}  // namespace sotto::accounting
