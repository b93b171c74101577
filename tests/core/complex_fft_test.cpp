#include "sotto/core/complex_fft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace sotto {
namespace {

using Complex = std::complex<double>;

std::vector<Complex> some_data(std::size_t size) {
  std::vector<Complex> data;
  for (std::size_t i = 0; i < size; ++i) {
    data.emplace_back(std::sin(1.0 + static_cast<double>(i * i)),
                      std::cos(3.0 * static_cast<double>(i)));
  }
  return data;
}

TEST(ComplexFft, MatchesTheDefinition) {
  for (const std::size_t size : {1U, 2U, 3U, 5U, 12U, 60U, 128U}) {
    const auto data = some_data(size);
    auto transformed = data;
    ComplexFft(size).forward(transformed);
    for (std::size_t k = 0; k < size; ++k) {
      Complex sum = 0;
      for (std::size_t n = 0; n < size; ++n) {
        const double angle =
            -2 * std::numbers::pi * static_cast<double>(k * n % size) / static_cast<double>(size);
        sum += data[n] * std::polar(1.0, angle);
      }
      EXPECT_NEAR(std::abs(transformed[k] - sum), 0, 1e-12) << "size " << size;
    }
  }
}

// compose() charges 8 ulp a stage for rounding; the transform itself must stay well within.
TEST(ComplexFft, RoundTripStaysFarBelowTheChargedError) {
  const std::size_t size = 90'000;
  const auto data = some_data(size);
  auto copy = data;
  ComplexFft fft(size);
  fft.forward(copy);
  fft.inverse(copy);
  double worst = 0;
  for (std::size_t i = 0; i < size; ++i) worst = std::max(worst, std::abs(copy[i] - data[i]));
  EXPECT_LT(worst, 3 * 1.1e-16 * std::log2(static_cast<double>(size)));
}

TEST(ComplexFft, FastSizesAreSmoothAndTight) {
  EXPECT_EQ(fast_transform_size(1), 1U);
  EXPECT_EQ(fast_transform_size(7), 8U);
  EXPECT_EQ(fast_transform_size(97), 100U);
  EXPECT_EQ(fast_transform_size(1025), 1080U);
}

}  // namespace
}  // namespace sotto
