#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sotto/core/error.h"
#include "sotto/mechanisms/releases.h"
#include "tests/mechanisms/chi_square.h"

namespace sotto::mechanisms {
namespace {

using Counts = std::vector<std::int64_t>;

// Five candidates, 0 to 4.
QuantileRelease small_release(double quantile, double epsilon) {
  return {quantile, ValueBounds(0, 4), 1.0, {epsilon, 0}};
}

// Every table of up to `most` values at five candidates.
std::vector<Counts> small_tables(int most) {
  std::vector<Counts> all;
  Counts counts(5, 0);
  while (true) {
    if (std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) <= most) {
      all.push_back(counts);
    }
    std::size_t place = 0;
    while (place < counts.size() && counts[place] == most) counts[place++] = 0;
    if (place == counts.size()) return all;
    ++counts[place];
  }
}

// The definition itself, on every pair of neighbours: no candidate becomes likelier by more than
// e^ε. And no less than that is needed: the bound is reached to a good part.
TEST(QuantileRelease, OneRecordChangesNoProbabilityByMoreThanItsPrice) {
  constexpr double kEpsilon = 0.7;
  for (const double quantile : {0.05, 0.25, 0.5, 0.9}) {
    const auto release = small_release(quantile, kEpsilon);
    double most = 0;
    for (const auto& table : small_tables(4)) {
      const auto before = release.probabilities(table);
      for (std::size_t value = 0; value < table.size(); ++value) {
        Counts more = table;
        ++more[value];
        const auto after = release.probabilities(more);
        for (std::size_t i = 0; i < before.size(); ++i) {
          most = std::max(most, std::abs(std::log(after[i] / before[i])));
        }
      }
    }
    EXPECT_LE(most, kEpsilon) << quantile;
    EXPECT_GT(most, kEpsilon / 3) << quantile;
  }
}

TEST(QuantileRelease, DrawsWhatItSays) {
  SeededRandomNotPrivate random(5);
  for (const Counts& counts :
       {Counts{0, 0, 0, 0, 0}, Counts{3, 1, 0, 2, 5}, Counts{0, 7, 0, 0, 0}}) {
    const auto release = small_release(0.3, 0.9);
    const auto expected = release.probabilities(counts);
    expect_distribution(
        20000, [&] { return std::llround(release.release(counts, random).value); },
        [&](std::int64_t x) {
          return x < 0 || x > 4 ? 0.0 : expected[static_cast<std::size_t>(x)];
        },
        5);
  }
}

// Worked by hand. Of 10 records the rank asked for is 3; candidate 1 has the ranks 2 to 4, so its
// loss is 0; candidate 0 has 0 to 2, loss 1; candidate 2 has 4 to 10, loss 1; the others 10,
// loss 7.
TEST(QuantileRelease, WeighsByRanks) {
  const auto release = small_release(0.3, 1.4);
  const auto found = release.probabilities({2, 2, 6, 0, 0});
  // e^(-1.4 loss / (2 · 0.7)) = e^-loss
  const double sum = 1 + 2 * std::exp(-1) + 2 * std::exp(-7);
  const std::vector<double> expected = {std::exp(-1) / sum, 1 / sum, std::exp(-1) / sum,
                                        std::exp(-7) / sum, std::exp(-7) / sum};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(found[i], expected[i], 1e-8) << i;
}

TEST(QuantileRelease, FindsTheMedianOfManyWithinItsRankError) {
  const QuantileRelease release(0.5, ValueBounds(0, 110), std::nullopt, {0.1, 0});
  Counts counts(release.candidates(), 0);
  constexpr int kRecords = 100000;
  for (int i = 0; i < kRecords; ++i) {
    ++counts[release.nearest(20 + 60.0 * i / kRecords)];  // uniform: 1667 records to a unit
  }
  SeededRandomNotPrivate random(3);
  int beyond = 0;
  for (int i = 0; i < 200; ++i) {
    const auto found = release.release(counts, random);
    ASSERT_TRUE(found.rank_error);
    EXPECT_LT(*found.rank_error, 100);
    EXPECT_EQ(found.low, 0);
    EXPECT_EQ(found.high, 110);
    // A candidate stands for 0.11 of a unit.
    beyond += std::abs(found.value - 50) > *found.rank_error / 1667 + 0.11 ? 1 : 0;
  }
  EXPECT_LE(beyond, 10);
}

TEST(QuantileRelease, RankErrorHoldsForEveryTable) {
  SeededRandomNotPrivate random(4);
  for (const Counts& counts : {Counts{50, 0, 0, 0, 50}, Counts{10, 20, 40, 20, 10}}) {
    const auto release = small_release(0.5, 0.3);
    std::vector<std::int64_t> up_to(6, 0);
    std::partial_sum(counts.begin(), counts.end(), up_to.begin() + 1);
    double beyond = 0;
    for (int i = 0; i < 2000; ++i) {
      const auto found = release.release(counts, random);
      const auto at = static_cast<std::size_t>(found.value);
      const double loss = std::max(
          {0.0, static_cast<double>(up_to[at]) - 50, 50 - static_cast<double>(up_to[at + 1])});
      beyond += loss > *found.rank_error ? 1 : 0;
    }
    EXPECT_LE(beyond / 2000, 0.05);
  }
}

TEST(QuantileRelease, CandidatesAreDecimalNumbers) {
  const QuantileRelease fine(0.5, ValueBounds(0, 120), std::nullopt, {1, 0});
  EXPECT_EQ(fine.candidates(), 1001U);
  EXPECT_EQ(fine.candidate(434), 52.08);  // 434 * 0.12 is 52.079999999999998
  EXPECT_EQ(fine.candidate(1000), 120);
  EXPECT_EQ(fine.nearest(-1e300), 0U);
  EXPECT_EQ(fine.nearest(1e300), 1000U);
  EXPECT_EQ(fine.nearest(52.1), 434U);
  const QuantileRelease tenths(0.5, ValueBounds(-1, 1), 0.1, {1, 0});
  EXPECT_EQ(tenths.candidates(), 21U);
  EXPECT_EQ(tenths.candidate(7), -0.3);
  const QuantileRelease uneven(0.5, ValueBounds(0, 1), 0.3, {1, 0});
  EXPECT_EQ(uneven.candidates(), 4U);  // 0, 0.3, 0.6, 0.9
  EXPECT_EQ(uneven.nearest(1), 3U);
}

TEST(QuantileRelease, RefusesWhatItCannotDo) {
  const ValueBounds bounds(0, 10);
  const auto make = [&](double quantile, std::optional<double> step, double epsilon, double delta) {
    return QuantileRelease(quantile, bounds, step, {epsilon, delta});
  };
  EXPECT_NO_THROW(make(0.5, 10.0, 1, 0));
  EXPECT_THROW(make(0, 1.0, 1, 0), InvalidArgument);
  EXPECT_THROW(make(1, 1.0, 1, 0), InvalidArgument);
  EXPECT_THROW(make(std::nan(""), 1.0, 1, 0), InvalidArgument);
  EXPECT_THROW(make(0.5, 11.0, 1, 0), InvalidArgument);
  EXPECT_THROW(make(0.5, 1e-9, 1, 0), InvalidArgument);
  EXPECT_THROW(make(0.5, 0.0, 1, 0), InvalidArgument);
  EXPECT_THROW(make(0.5, 1.0, 0, 0), InvalidArgument);
  EXPECT_THROW(make(0.5, 1.0, INFINITY, 0), InvalidArgument);
  EXPECT_THROW(make(0.5, 1.0, 1, 1e-6), InvalidArgument);
}

}  // namespace
}  // namespace sotto::mechanisms
