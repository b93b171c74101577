#include "sotto/core/gaussian_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "core/ziggurat.h"

namespace sotto {
namespace {

const std::vector<double>& draws() {
  static const std::vector<double> values = [] {
    std::vector<double> all(20'000'000);
    SeededRandomNotPrivate random(20261116);
    fill_standard_normal(all, random);
    return all;
  }();
  return values;
}

double count() { return static_cast<double>(draws().size()); }

double number_from(std::uint64_t word, RandomSource& more) {
  static const Ziggurat ziggurat;
  double value = 0;
  ziggurat.fill({&word, 1}, {&value, 1}, more);
  return value;
}

// The layers' areas are equal only if the constant from which all edges follow is right.
TEST(Ziggurat, LayersHaveEqualAreasAndEndAtTheTop) {
  const Ziggurat ziggurat;
  const double area = ziggurat.edge(0) * ziggurat.height(1);
  for (std::size_t i = 1; i < Ziggurat::kLayers; ++i) {
    EXPECT_NEAR(ziggurat.edge(i) * (ziggurat.height(i + 1) - ziggurat.height(i)) / area, 1, 1e-11)
        << "layer " << i;
    EXPECT_GT(ziggurat.edge(i), ziggurat.edge(i + 1));
  }
  EXPECT_EQ(ziggurat.height(Ziggurat::kLayers), 1);
}

TEST(Ziggurat, OneBitIsTheSignAndNothingElse) {
  SeededRandomNotPrivate words(1);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t word = words();
    SeededRandomNotPrivate more(static_cast<std::uint64_t>(i));
    SeededRandomNotPrivate same(static_cast<std::uint64_t>(i));
    EXPECT_EQ(number_from(word, more), -number_from(word ^ Ziggurat::kLayers, same));
  }
}

// Cells of equal probability; narrower than most layers are high, so that a layer's corner that is
// rounded wrongly shows.
TEST(GaussianBlock, FollowsTheNormalDistribution) {
  constexpr std::size_t kCells = 1000;
  std::vector<double> edges;
  const boost::math::normal normal;
  for (std::size_t i = 1; i < kCells; ++i) {
    edges.push_back(boost::math::quantile(normal, static_cast<double>(i) / kCells));
  }
  std::vector<double> cells(kCells);
  for (const double x : draws()) {
    ++cells[static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), x) -
                                     edges.begin())];
  }
  const double expected = count() / kCells;
  double chi_squared = 0;
  for (const double seen : cells) chi_squared += (seen - expected) * (seen - expected) / expected;
  EXPECT_NEAR(chi_squared, kCells - 1, 5 * std::sqrt(2.0 * kCells));
}

// Around the last edge of the ziggurat (4.039) and far beyond.
TEST(GaussianBlock, HasTheWholeTail) {
  for (const double from : {3.7, 4.0, 4.0388498461095045, 4.1, 4.5, 5.0}) {
    const double expected = count() * std::erfc(from / std::sqrt(2.0));
    const auto seen = static_cast<double>(std::count_if(
        draws().begin(), draws().end(), [&](double x) { return std::abs(x) > from; }));
    EXPECT_NEAR(seen, expected, 5 * std::sqrt(expected) + 1) << from;
  }
}

TEST(GaussianBlock, HasTheMomentsOfANormalAndNoMemory) {
  double moments[5] = {};
  double product = 0;
  for (std::size_t i = 0; i < draws().size(); ++i) {
    const double x = draws()[i];
    double power = 1;
    for (double& moment : moments) moment += std::exchange(power, power * x);
    if (i > 0) product += x * draws()[i - 1];
  }
  const double error = 5 / std::sqrt(count());
  EXPECT_NEAR(moments[1] / count(), 0, error);
  EXPECT_NEAR(moments[2] / count(), 1, error * std::sqrt(2.0));
  EXPECT_NEAR(moments[3] / count(), 0, error * std::sqrt(15.0));
  EXPECT_NEAR(moments[4] / count(), 3, error * std::sqrt(96.0));
  EXPECT_NEAR(product / count(), 0, error);
}

TEST(GaussianBlock, FillsWhateverLengthIsAsked) {
  for (const std::size_t size : {0U, 1U, 1023U, 1024U, 1025U, 5000U}) {
    std::vector<double> values(size, 100);
    SeededRandomNotPrivate random(size);
    fill_standard_normal(values, random);
    EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](double x) { return x < 50; }));
  }
}

}  // namespace
}  // namespace sotto
