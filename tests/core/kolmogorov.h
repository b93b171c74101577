// Does a sample follow a distribution?
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace sotto {

// Largest distance between the empirical and the true distribution function, times √n: above 2.2
// with probability 1.2e-4 (Kolmogorov). The seeds are fixed, so the tests do not flicker.
inline double kolmogorov_statistic(std::vector<double> sample,
                                   const std::function<double(double)>& cdf) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double worst = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double p = cdf(sample[i]);
    worst = std::max({worst, std::abs(p - static_cast<double>(i) / n),
                      std::abs(p - static_cast<double>(i + 1) / n)});
  }
  return worst * std::sqrt(n);
}

inline std::vector<double> sample_of(std::size_t count, const std::function<double()>& draw) {
  std::vector<double> sample(count);
  std::generate(sample.begin(), sample.end(), draw);
  return sample;
}

}  // namespace sotto
