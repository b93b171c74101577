// Compares draws with the probabilities they should have.
#pragma once

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <cstdint>
#include <functional>
#include <map>

namespace sotto::mechanisms {

// Pearson's test of `count` draws against `probability`, on whole numbers. Cells expected to hold
// fewer than 20 draws are put together. A true sampler fails with probability 1e-9.
inline void expect_distribution(int count, const std::function<std::int64_t()>& draw,
                                const std::function<double(std::int64_t)>& probability,
                                std::int64_t reach) {
  std::map<std::int64_t, double> found;
  for (int i = 0; i < count; ++i) ++found[draw()];
  double statistic = 0;
  int cells = 0;
  double rest_found = count;
  double rest_expected = count;
  for (std::int64_t x = -reach; x <= reach; ++x) {
    const double expected = count * probability(x);
    if (expected < 20) continue;
    const double difference = found[x] - expected;
    statistic += difference * difference / expected;
    rest_found -= found[x];
    rest_expected -= expected;
    ++cells;
  }
  ASSERT_GE(cells, 2);
  if (rest_expected >= 20) {
    statistic += (rest_found - rest_expected) * (rest_found - rest_expected) / rest_expected;
    ++cells;
  }
  const boost::math::chi_squared_distribution<double> law(cells - 1);
  EXPECT_LT(statistic, quantile(complement(law, 1e-9))) << cells << " cells";
}

}  // namespace sotto::mechanisms
