// Sums on the grid: sensitivity, clamping, missing values, overflow; and what is released of them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "sotto/core/error.h"
#include "sotto/mechanisms/real_noise.h"
#include "sotto/mechanisms/releases.h"
#include "sotto/mechanisms/table_query.h"

namespace sotto::mechanisms {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::int64_t sum_of(BoundedSum sum, const std::vector<double>& values) {
  for (const double value : values) sum.add(value);
  return sum.steps();
}

RC_GTEST_PROP(BoundedSumProperties, OneRecordMovesItByItsSensitivityAtMost,
              (std::vector<double> values, double extra)) {
  const double low = *rc::gen::inRange(-1000, 1000) / 7.0;
  const double high = low + *rc::gen::inRange(1, 1000) / 3.0;
  const double step = *rc::gen::inRange(1, 100) / 1000.0;
  const double origin = *rc::gen::elementOf(std::vector<double>{0.0, low + (high - low) / 2});
  const BoundedSum sum(ValueBounds(low, high), Grid(step), origin);
  const auto before = sum_of(sum, values);
  // Anywhere among the others.
  const auto at = *rc::gen::inRange<std::size_t>(0, values.size() + 1);
  values.insert(values.begin() + static_cast<std::ptrdiff_t>(at), extra);
  RC_ASSERT(std::abs(sum_of(sum, values) - before) <= sum.sensitivity());
}

TEST(BoundedSum, TakesTheExactSensitivityOnTheGrid) {
  EXPECT_EQ(BoundedSum(ValueBounds(0, 10), Grid(1), 0).sensitivity(), 10);
  EXPECT_EQ(BoundedSum(ValueBounds(-12, 10), Grid(1), 0).sensitivity(), 12);
  EXPECT_EQ(BoundedSum(ValueBounds(0, 10), Grid(1), 5).sensitivity(), 5);
  // 9.7 may count as 10: rounding adds to the sensitivity.
  EXPECT_EQ(BoundedSum(ValueBounds(0, 9.7), Grid(1), 0).sensitivity(), 10);
  EXPECT_EQ(BoundedSum(ValueBounds(0, 0.3), Grid(0.1), 0).sensitivity(), 3);
}

TEST(BoundedSum, ClampsAndLeavesOutWhatIsNoNumber) {
  const BoundedSum sum(ValueBounds(-1, 10), Grid(1), 0);
  EXPECT_EQ(sum_of(sum, {3, kNan, 1e300, kInfinity, -kInfinity}), 3 + 10 + 10 - 1);
}

TEST(BoundedSum, StopsInsteadOfOverflowing) {
  const BoundedSum sum(ValueBounds(0, 1e15), Grid(0x1p10), 0);
  BoundedSum filled = sum;
  for (int i = 0; i < 5000000; ++i) filled.add(1e15);
  EXPECT_EQ(filled.steps(), std::int64_t{1} << 61U);
}

TEST(Grid, HoldsWholeNumbersExactly) {
  const auto grid = Grid::for_values_up_to(120);
  EXPECT_EQ(grid.step(), 0x1p-26);
  EXPECT_EQ(grid.value(grid.nearest(57)), 57);
  EXPECT_EQ(grid.value(grid.nearest(0.125)), 0.125);
}

TEST(Bounds, AreRefusedWhenTheyBoundNothing) {
  EXPECT_THROW(ValueBounds(1, 1), InvalidArgument);
  EXPECT_THROW(ValueBounds(2, 1), InvalidArgument);
  EXPECT_THROW(ValueBounds(0, kInfinity), InvalidArgument);
  EXPECT_THROW(ValueBounds(kNan, 1), InvalidArgument);
  EXPECT_THROW(Grid(0), InvalidArgument);
  EXPECT_THROW(BoundedSum(ValueBounds(0, 1), Grid(3), 0), InvalidArgument);
  EXPECT_THROW(BoundedSum(ValueBounds(0, 1), Grid(1e-15), 0), InvalidArgument);
}

struct Coverage {
  int inside = 0;
  double mean = 0;
  double square = 0;
};

template <typename Draw>
Coverage coverage(double truth, int rounds, Draw draw) {
  Coverage result;
  for (int i = 0; i < rounds; ++i) {
    const Release release = draw();
    result.inside += release.low <= truth && truth <= release.high ? 1 : 0;
    result.mean += (release.value - truth) / release.standard_error / rounds;
    result.square += std::pow((release.value - truth) / release.standard_error, 2) / rounds;
  }
  return result;
}

// 2000 rounds: 95 % is 1900 ± 10 in standard deviations; 1840 is six of them below.
void expect_honest(const Coverage& coverage) {
  EXPECT_GE(coverage.inside, 1840);
  EXPECT_NEAR(coverage.mean, 0, 0.15);
  EXPECT_NEAR(coverage.square, 1, 0.35);
}

TEST(Releases, CoverTheTruth) {
  SeededRandomNotPrivate random(5);
  for (const auto& [kind, delta] :
       {std::pair{NoiseKind::kLaplace, 0.0}, {NoiseKind::kGaussian, 1e-6}}) {
    const CountRelease counts(kind, {0.5, delta});
    expect_honest(coverage(70, 2000, [&] { return counts.release(70, random); }));
    const ValueBounds bounds(0, 100);
    const auto grid = Grid::for_values_up_to(100);
    const SumRelease sums(bounds, grid, kind, {0.5, delta});
    BoundedSum sum = sums.empty_sum();
    for (int i = 0; i < 500; ++i) sum.add(i % 90);
    const double total = grid.value(sum.steps());
    expect_honest(coverage(total, 2000, [&] { return sums.release(sum, random); }));
    const MeanRelease means(bounds, grid, kind, {1, delta});
    BoundedSum centred = means.empty_sum();
    for (int i = 0; i < 500; ++i) centred.add(i % 90);
    expect_honest(coverage(total / 500, 2000, [&] { return means.release(centred, 500, random); }));
  }
}

TEST(MeanRelease, StaysWithinTheBoundsAndKnowsWhenItKnowsNothing) {
  SeededRandomNotPrivate random(6);
  const MeanRelease means(ValueBounds(0, 10), Grid(0.01), NoiseKind::kLaplace, {0.1, 0});
  for (int i = 0; i < 200; ++i) {
    const auto release = means.release(means.empty_sum(), 0, random);
    EXPECT_GE(release.value, 0);
    EXPECT_LE(release.value, 10);
    EXPECT_LE(release.low, release.high);
  }
}

TEST(MeanRelease, SplitsItsBudget) {
  const MeanRelease means(ValueBounds(0, 10), Grid(0.01), NoiseKind::kGaussian, {1, 1e-6});
  EXPECT_EQ(means.sum_noise().budget().epsilon + means.count_noise().budget().epsilon, 1);
  EXPECT_EQ(means.sum_noise().budget().delta + means.count_noise().budget().delta, 1e-6);
}

TEST(Partition, PutsEachValueInOnePartAtMost) {
  const Bins bins({0, 10, 20});
  EXPECT_EQ(bins.part_of(0), 0U);
  EXPECT_EQ(bins.part_of(10), 1U);
  EXPECT_EQ(bins.part_of(20), 1U);
  EXPECT_EQ(bins.part_of(20.5), std::nullopt);
  EXPECT_EQ(bins.part_of(-1), std::nullopt);
  EXPECT_EQ(bins.part_of(kNan), std::nullopt);
  EXPECT_EQ(bins.label(0), "[0, 10)");
  EXPECT_EQ(bins.label(1), "[10, 20]");
  EXPECT_THROW(Bins({1}), InvalidArgument);
  EXPECT_THROW(Bins({1, 1}), InvalidArgument);
  EXPECT_THROW(Bins({1, kInfinity}), InvalidArgument);
  const Categories categories({"a", "b"});
  EXPECT_EQ(categories.part_of("b"), 1U);
  EXPECT_EQ(categories.part_of("c"), std::nullopt);
  EXPECT_THROW(Categories({"a", "a"}), InvalidArgument);
  EXPECT_THROW(Categories({}), InvalidArgument);
}

TEST(RealNoise, IsCalibratedAsPublished) {
  EXPECT_DOUBLE_EQ(LaplaceMechanism({2}, 0.5).scale(), 4);
  const auto classic = GaussianMechanism::classic({3}, {0.5, 1e-5});
  EXPECT_NEAR(classic.standard_deviation(), 3 * std::sqrt(2 * std::log(1.25e5)) / 0.5, 1e-9);
  const auto analytic = GaussianMechanism::analytic({3}, {0.5, 1e-5});
  EXPECT_LT(analytic.standard_deviation(), classic.standard_deviation());
  EXPECT_NO_THROW(GaussianMechanism::analytic({3}, {5, 1e-5}));
  EXPECT_THROW(GaussianMechanism::classic({3}, {1, 1e-5}), NoValidAnalysis);
  EXPECT_THROW(GaussianMechanism::analytic({0}, {1, 1e-5}), InvalidArgument);
  EXPECT_THROW(LaplaceMechanism({1}, -1), InvalidArgument);
  SeededRandomNotPrivate random(7);
  double square = 0;
  for (int i = 0; i < 20000; ++i) square += std::pow(classic.add_noise(0, random), 2) / 20000;
  EXPECT_NEAR(std::sqrt(square) / classic.standard_deviation(), 1, 0.05);
}

// Neighbouring answers have the same digits below the step, so these say nothing.
TEST(RealNoise, GaussianReleasesAreMultiplesOfAPowerOfTwo) {
  const auto mechanism = GaussianMechanism::analytic({1}, {1, 1e-5});  // σ from 2 to 4
  ASSERT_EQ(std::ilogb(mechanism.standard_deviation()), 1);
  SeededRandomNotPrivate random(8);
  for (const double value : {0.1, 1e6 / 7}) {
    const double steps = mechanism.add_noise(value, random) * 0x1p9;
    EXPECT_EQ(steps, std::nearbyint(steps)) << value;
  }
}

}  // namespace
}  // namespace sotto::mechanisms
