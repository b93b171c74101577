#include "core/complex_fft.h"

#include <gtest/gtest.h>

#include <boost/math/constants/constants.hpp>
#include <cmath>

#include "core/unit_roots.h"
#include "sotto/core/error.h"
#include "tests/core/exact_numbers.h"

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

struct ExactComplex {
  Exact re;
  Exact im;
};

ExactComplex exact_root(std::size_t k, std::size_t size) {
  const Exact angle = -2 * boost::math::constants::pi<Exact>() * k / size;
  return {cos(angle), sin(angle)};
}

double distance(const Complex& value, const ExactComplex& exact) {
  const Exact re = value.real() - exact.re;
  const Exact im = value.imag() - exact.im;
  return static_cast<double>(sqrt(re * re + im * im));
}

// X_k by its definition.
ExactComplex exact_coefficient(const std::vector<Complex>& data, std::size_t k) {
  const ExactComplex turn = exact_root(k, data.size());
  ExactComplex root{1, 0};
  ExactComplex sum{0, 0};
  for (const auto& value : data) {
    sum = {sum.re + value.real() * root.re - value.imag() * root.im,
           sum.im + value.real() * root.im + value.imag() * root.re};
    root = {root.re * turn.re - root.im * turn.im, root.re * turn.im + root.im * turn.re};
  }
  return sum;
}

double norm_of(const std::vector<Complex>& data) {
  double sum = 0;
  for (const auto& value : data) sum += std::abs(value);
  return sum;
}

TEST(ComplexFft, ErrsByNoMoreThanItsBound) {
  for (const std::size_t size :
       {1U, 2U, 3U, 4U, 5U, 8U, 12U, 60U, 128U, 625U, 729U, 1080U, 4096U}) {
    const auto data = some_data(size);
    auto transformed = data;
    ComplexFft fft(size);
    fft.forward(transformed);
    for (std::size_t k = 0; k < size; k += 1 + size / 40) {
      EXPECT_LE(distance(transformed[k], exact_coefficient(data, k)),
                fft.error_bound() * norm_of(data))
          << "size " << size;
    }
  }
}

// One point alone meets every twiddle factor on its way, and no errors cancel.
TEST(ComplexFft, ErrsByNoMoreThanItsBoundOnOnePoint) {
  for (const std::size_t size : {64U, 81U, 600U, 2048U, 98'304U}) {
    for (const std::size_t place : {std::size_t{1}, size / 3, size - 1}) {
      std::vector<Complex> data(size);
      data[place] = {0.7, 0.1};
      const double bound = ComplexFft(size).error_bound() * std::abs(data[place]);
      auto transformed = data;
      ComplexFft(size).forward(transformed);
      for (std::size_t k = 0; k < size; k += 1 + size / 200) {
        const ExactComplex root = exact_root(k * place % size, size);
        const Complex point = data[place];
        EXPECT_LE(distance(transformed[k], {point.real() * root.re - point.imag() * root.im,
                                            point.real() * root.im + point.imag() * root.re}),
                  bound);
      }
    }
  }
}

TEST(ComplexFft, InverseUndoesForward) {
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

TEST(ComplexFft, RefusesOtherSizes) {
  EXPECT_THROW(ComplexFft(7), InvalidArgument);
  EXPECT_THROW(ComplexFft(0), InvalidArgument);
}

TEST(ComplexFft, FastSizesAreSmoothAndTight) {
  EXPECT_EQ(fast_transform_size(1), 1U);
  EXPECT_EQ(fast_transform_size(7), 8U);
  EXPECT_EQ(fast_transform_size(97), 100U);
  EXPECT_EQ(fast_transform_size(1025), 1080U);
}

TEST(UnitRoots, AreWithinTheirBound) {
  double worst = 0;
  for (const std::size_t size : {1U, 2U, 3U, 5U, 8U, 9U, 45U, 1000U, 1458U, 4096U, 15'625U, 93'750U,
                                 131'072U, 524'288U, 984'150U}) {
    const auto roots = unit_roots(size);
    for (std::size_t k = 0; k < size; k += 1 + size / 1500) {
      worst = std::max(worst, distance(roots[k], exact_root(k, size)));
    }
  }
  EXPECT_LE(worst, kUnitRootError);
  EXPECT_GT(worst, kUnitRootError / 8);  // the bound is no straw man
  // As kissfft and others do it: multiples of a rounded angle.
  const std::size_t size = 131'072;
  const double angle = -2 * std::acos(-1.0) / static_cast<double>(size);
  double worst_of_multiples = 0;
  for (std::size_t k = 0; k < size; k += 97) {
    worst_of_multiples =
        std::max(worst_of_multiples,
                 distance(std::polar(1.0, static_cast<double>(k) * angle), exact_root(k, size)));
  }
  EXPECT_GT(worst_of_multiples, kUnitRootError);
}

}  // namespace
}  // namespace sotto
