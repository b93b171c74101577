#include "core/rounded_normal.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <map>
#include <vector>

#include "core/exact_normal.h"
#include "core/normal_cover.h"
#include "sotto/core/error.h"

namespace sotto {
namespace {

using Effort = RoundedNormal::Effort;

ExactReal exact_curve(double x) { return exp(-ExactReal(x) * x / 2); }

// All that the method assumes of its table, in 100 digits: layers cover the curve, inner parts lie
// below it.
TEST(NormalCoverTest, CoversTheCurve) {
  const auto& cover = NormalCover::instance();
  const ExactReal last(NormalCover::kLastEdge);
  ExactReal y = cover.height(1);
  const ExactReal area = y * (last + 1 / last);
  EXPECT_GE(y, exact_curve(NormalCover::kLastEdge));
  EXPECT_GE(exact_curve(cover.layer(0).inner), y);
  EXPECT_LT(cover.layer(0).inner, NormalCover::kLastEdge);
  for (std::size_t i = 1; i < NormalCover::kLayers; ++i) {
    EXPECT_LE(exact_curve(cover.edge(i)), y) << "layer " << i;
    y += area / ExactReal(cover.edge(i));
    EXPECT_NEAR(static_cast<double>(y / cover.height(i + 1)), 1, 1e-12) << "layer " << i;
    EXPECT_GE(exact_curve(cover.layer(i).inner), i + 1 < NormalCover::kLayers ? y : ExactReal(1));
    EXPECT_EQ(cover.layer(i).step * 0x1p52, cover.edge(i));
  }
  EXPECT_GE(y, 1);
  EXPECT_LT(y, 1.001);
}

// The quick way and the exact one answer alike for the same first words, whatever follows.
TEST(RoundedNormalTest, QuickDecisionsAreExactOnes) {
  SeededRandomNotPrivate words(11);
  const RoundedNormal quick(300.25);
  const RoundedNormal exact(300.25, Effort::kExactOnly);
  int compared = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t word = words();
    const double value = std::ldexp(static_cast<double>(words() >> 20U), -20);
    const auto layer = word & (NormalCover::kLayers - 1);
    const double x = static_cast<double>(word >> 12U) * NormalCover::instance().layer(layer).step;
    if (x >= NormalCover::instance().layer(layer).inner) continue;  // more words are drawn
    SeededRandomNotPrivate one(3);
    SeededRandomNotPrivate other(4);
    const double nearest = quick.nearest(value, word, one);
    // The exact way also asks for a height, which decides nothing inside.
    EXPECT_EQ(exact.nearest(value, word, other), nearest) << word;
    ++compared;
  }
  EXPECT_GT(compared, 19'000);
}

// Words whose place lies just where two whole numbers meet are not decided by them alone.
TEST(RoundedNormalTest, BoundariesBetweenWholeNumbersAreDecidedByMoreBits) {
  const RoundedNormal normal(1024);
  const std::size_t layer = 500;
  const double step = NormalCover::instance().layer(layer).step;
  const auto place = static_cast<std::uint64_t>(200.5 / 1024 / step);  // within one of 200.5
  const std::uint64_t word = place << 12U | layer;
  // The boundary lies inside this place's interval: both numbers come up.
  std::map<double, int> seen;
  SeededRandomNotPrivate random(5);
  for (int i = 0; i < 400; ++i) ++seen[normal.nearest(0, word, random)];
  const double low = static_cast<double>(place) * step * 1024;
  const double high = static_cast<double>(place + 1) * step * 1024;
  const double share = (200.5 - low) / (high - low);
  EXPECT_NEAR(seen[200] / 400.0, share, 6 * 0.5 / 20);
  EXPECT_EQ(seen[200] + seen[201], 400);
}

double chi_square_of(const std::vector<double>& draws, double deviation, double shift) {
  const boost::math::normal standard;
  const int half = 60;
  std::vector<double> counts(2 * half + 2);
  const double width = deviation / 15;
  const auto bin = [&](double x) {
    return std::clamp<int>(static_cast<int>(std::floor((x - shift) / width)) + half + 1, 0,
                           2 * half + 1);
  };
  for (const double x : draws) ++counts[static_cast<std::size_t>(bin(x))];
  // Whole numbers up to and with n have probability Φ((n + 1/2 - shift) / deviation).
  const auto below = [&](double edge) {
    const double last = std::ceil(edge + shift) - 1;
    return cdf(standard, (last + 0.5 - shift) / deviation);
  };
  double statistic = 0;
  double before = 0;
  for (int i = 0; i <= 2 * half + 1; ++i) {
    const double up_to = i == 2 * half + 1 ? 1 : below((i - half) * width);
    const double expected = (up_to - before) * static_cast<double>(draws.size());
    statistic += std::pow(counts[static_cast<std::size_t>(i)] - expected, 2) / expected;
    before = up_to;
  }
  return statistic;
}

// 121 degrees of freedom: above 230 with probability 1e-8.
TEST(RoundedNormalTest, HasTheDistributionOfARoundedNormal) {
  SeededRandomNotPrivate random(20261117);
  for (const double shift : {0.0, 0.375, -1000.5}) {
    std::vector<double> draws(2'000'000, shift);
    RoundedNormal(300.25).add_to(draws, random);
    EXPECT_LT(chi_square_of(draws, 300.25, shift), 230) << shift;
  }
}

TEST(RoundedNormalTest, TheExactWayHasItToo) {
  SeededRandomNotPrivate random(20261118);
  std::vector<double> draws(60'000, 0.25);
  RoundedNormal(300.25, Effort::kExactOnly).add_to(draws, random);
  EXPECT_LT(chi_square_of(draws, 300.25, 0.25), 230);
}

// Beyond 4.04 deviations numbers are drawn in another way.
TEST(RoundedNormalTest, TailsHaveTheirShare) {
  SeededRandomNotPrivate random(20261119);
  std::vector<double> draws(20'000'000);
  RoundedNormal(256).add_to(draws, random);
  for (const double beyond : {3.5, 4.0, 4.1, 4.5, 5.0}) {
    const double edge = std::floor(beyond * 256) + 0.5;
    double expected = std::erfc(edge / 256 / std::sqrt(2.0)) * 20e6;
    double seen = 0;
    for (const double x : draws) seen += std::abs(x) > edge ? 1 : 0;
    EXPECT_NEAR(seen, expected, 6 * std::sqrt(expected)) << beyond;
  }
}

TEST(RoundedNormalTest, EveryResultIsWhole) {
  SecureRandom random;
  std::vector<double> draws(1003, 0x1p34 + 0.625);
  RoundedNormal(511).add_to(draws, random);
  for (const double x : draws) EXPECT_EQ(x, std::nearbyint(x));
}

TEST(RoundedNormalTest, RefusesDeviationsThatItIsNotMadeFor) {
  EXPECT_THROW(RoundedNormal(1), InvalidArgument);
  EXPECT_THROW(RoundedNormal(1e6), InvalidArgument);
  EXPECT_THROW(RoundedNormal(NAN), InvalidArgument);
}

}  // namespace
}  // namespace sotto
