#include "core/gaussian_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <span>
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

// A word of a given layer whose place lies in its corner, beyond what is surely under the curve.
std::uint64_t word_in_corner(const Ziggurat& ziggurat, std::size_t layer, RandomSource& random) {
  const double inside = ziggurat.edge(layer + 1) / ziggurat.edge(layer);
  const double uniform = static_cast<double>(random() >> 11U) * 0x1p-53;
  const auto place = static_cast<std::uint64_t>((inside + (1 - inside) * uniform) * 0x1p52);
  return place << 12U | layer;
}

// What is accepted there lies below the curve: its density falls from 1 at the inner edge to 0 at
// the outer, as the curve does between the layer's heights. Others begin anew, in any layer.
TEST(Ziggurat, CornersAreCutAlongTheCurve) {
  const Ziggurat ziggurat;
  SeededRandomNotPrivate random(20261117);
  constexpr int kDraws = 40'000;
  for (const std::size_t layer : {1U, 5U, 100U, 600U, 1000U}) {
    const double inner = ziggurat.edge(layer + 1);
    const double outer = ziggurat.edge(layer);
    const double low = ziggurat.height(layer);
    const double high = ziggurat.height(layer + 1);
    const auto kept = [&](double x) { return (std::exp(-x * x / 2) - low) / (high - low); };
    const double middle = (inner + outer) / 2;
    const double quarter = (outer - inner) / 4;
    // Expected shares of all draws, by Simpson's rule over each half.
    const double near = (kept(inner) + 4 * kept(inner + quarter) + kept(middle)) / 12;
    const double far = (kept(middle) + 4 * kept(outer - quarter) + kept(outer)) / 12;
    int seen_near = 0;
    int seen_far = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double x = number_from(word_in_corner(ziggurat, layer, random), random);
      seen_near += x >= inner && x < middle ? 1 : 0;
      seen_far += x >= middle && x < outer ? 1 : 0;
    }
    // Those that begin anew fall into so narrow a range rarely.
    const double again = (outer - inner) * 0.4 * kDraws;
    EXPECT_NEAR(seen_near, kDraws * near, 5 * std::sqrt(kDraws * 0.25) + again) << layer;
    EXPECT_NEAR(seen_far, kDraws * far, 5 * std::sqrt(kDraws * 0.25) + again) << layer;
  }
}

// Numbers are made four at a time, and the rest one by one: as each would be alone.
TEST(Ziggurat, EveryPlaceInABlockIsLikeEveryOther) {
  const Ziggurat ziggurat;
  SeededRandomNotPrivate random(3);
  std::vector<std::uint64_t> words(4096);
  random.fill(words);
  for (std::size_t size = 1; size <= 11; ++size) {
    for (std::size_t at = 0; at + size <= words.size(); at += size) {
      std::vector<double> values(size);
      SeededRandomNotPrivate more(at);
      ziggurat.fill(std::span(words).subspan(at, size), values, more);
      SeededRandomNotPrivate same(at);
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_EQ(values[i], number_from(words[at + i], same)) << size << " from " << at;
      }
    }
  }
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

// Cells of equal probability.
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
