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

void add_to(std::vector<double>& values, const RoundedNormal& normal, RandomSource& random) {
  const std::vector<double> sums = values;
  normal.release<double>(sums, values, {}, random);
}

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

// Hands out given words for blocks, and notices if more is asked for.
class GivenWords final : public RandomSource {
 public:
  explicit GivenWords(std::vector<std::uint64_t> words) : words_(std::move(words)) {}
  bool is_private() const override { return true; }  // of which no branch is made
  bool was_asked_for_more() const { return asked_for_more_; }

 private:
  void refill(std::span<std::uint64_t> words) override {
    asked_for_more_ = words.size() != words_.size();
    if (asked_for_more_) return;
    std::copy(words_.begin(), words_.end(), words.begin());
  }
  bool stale() const override { return false; }

  std::vector<std::uint64_t> words_;
  bool asked_for_more_ = false;
};

// What 32 bits of a draw decide in float is what the exact way finds, however the draw goes on:
// shown for the least and the largest place that begin with them.
TEST(RoundedNormalTest, HalfWordsDecideOnlyWhatIsCertain) {
  SeededRandomNotPrivate words(12);
  for (const double deviation : {32.0, 300.25, 2048.0}) {
    const RoundedNormal quick(deviation);
    const RoundedNormal exact(deviation, Effort::kExactOnly);
    int compared = 0;
    for (int round = 0; round < 600; ++round) {
      std::vector<std::uint64_t> given(4);
      for (auto& word : given) word = words();
      std::vector<double> values(8);
      for (auto& value : values) value = std::ldexp(static_cast<double>(words() >> 24U), -20);
      std::vector<double> noised = values;
      GivenWords source(given);
      add_to(noised, quick, source);
      if (source.was_asked_for_more()) continue;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t half = given[i / 2] >> (i % 2 * 32) & 0xffff'ffffU;
        const std::uint64_t first = (half >> 11U) << 43U | (half & 0x7ffU);
        for (const std::uint64_t word : {first, first | std::uint64_t{0x7fff'ffff} << 12U}) {
          SeededRandomNotPrivate rest(4);
          EXPECT_EQ(exact.nearest(values[i], word, rest), noised[i]) << word;
        }
        ++compared;
      }
    }
    EXPECT_GT(compared, 4'000);
  }
}

TEST(RoundedNormalTest, NumbersTooLargeForDoublesFractionsAreRoundedInMoreDigits) {
  SeededRandomNotPrivate random(21);
  const double large = std::ldexp(1.0, 51) + 0.5;
  std::vector<double> draws(8000, large);
  add_to(draws, RoundedNormal(128), random);
  double mean = 0;
  for (const double x : draws) mean += (x - large) / 8000;
  EXPECT_LT(std::abs(mean), 6 * 128 / std::sqrt(8000));
  EXPECT_NE(draws[0], draws[1]);
}

// Words whose place lies just where two whole numbers meet are not decided by them alone.
TEST(RoundedNormalTest, BoundariesBetweenWholeNumbersAreDecidedByMoreBits) {
  const RoundedNormal normal(128);
  const std::size_t layer = 500;
  const double step = NormalCover::instance().layer(layer).step;
  const auto place = static_cast<std::uint64_t>(50.5 / 128 / step);  // within one of 50.5
  const std::uint64_t word = place << 12U | layer;
  // The boundary lies inside this place's interval: both numbers come up.
  std::map<double, int> seen;
  SeededRandomNotPrivate random(5);
  for (int i = 0; i < 400; ++i) ++seen[normal.nearest(0, word, random)];
  const double low = static_cast<double>(place) * step * 128;
  const double high = static_cast<double>(place + 1) * step * 128;
  const double share = (50.5 - low) / (high - low);
  EXPECT_NEAR(seen[50] / 400.0, share, 6 * 0.5 / 20);
  EXPECT_EQ(seen[50] + seen[51], 400);
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
    add_to(draws, RoundedNormal(300.25), random);
    EXPECT_LT(chi_square_of(draws, 300.25, shift), 230) << shift;
  }
}

TEST(RoundedNormalTest, TheExactWayHasItToo) {
  SeededRandomNotPrivate random(20261118);
  std::vector<double> draws(60'000, 0.25);
  add_to(draws, RoundedNormal(300.25, Effort::kExactOnly), random);
  EXPECT_LT(chi_square_of(draws, 300.25, 0.25), 230);
}

// Beyond 4.04 deviations numbers are drawn in another way.
TEST(RoundedNormalTest, TailsHaveTheirShare) {
  SeededRandomNotPrivate random(20261119);
  std::vector<double> draws(20'000'000);
  add_to(draws, RoundedNormal(128), random);
  for (const double beyond : {3.5, 4.0, 4.1, 4.5, 5.0}) {
    const double edge = std::floor(beyond * 128) + 0.5;
    double expected = std::erfc(edge / 128 / std::sqrt(2.0)) * 20e6;
    double seen = 0;
    for (const double x : draws) seen += std::abs(x) > edge ? 1 : 0;
    EXPECT_NEAR(seen, expected, 6 * std::sqrt(expected)) << beyond;
  }
}

TEST(RoundedNormalTest, EveryResultIsWhole) {
  SecureRandom random;
  std::vector<double> draws(1003, 0x1p34 + 0.625);
  add_to(draws, RoundedNormal(120), random);
  for (const double x : draws) EXPECT_EQ(x, std::nearbyint(x));
}

TEST(RoundedNormalTest, RefusesDeviationsThatItIsNotMadeFor) {
  EXPECT_THROW(RoundedNormal(1), InvalidArgument);
  EXPECT_THROW(RoundedNormal(2049), InvalidArgument);
  EXPECT_THROW(RoundedNormal(NAN), InvalidArgument);
}

}  // namespace
}  // namespace sotto
