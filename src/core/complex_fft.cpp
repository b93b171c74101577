// KissFFT's C++ header does the work: it is the FFT in Debian with a permissive licence and double
// precision. This file is compiled with -fcx-limited-range: our data hold no infinities.
#include "sotto/core/complex_fft.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <kissfft/kissfft.hh>

namespace sotto {

struct ComplexFft::Plan {
  explicit Plan(std::size_t size) : transform(size, /*inverse=*/false) {}
  kissfft<double> transform;
};

std::size_t fast_transform_size(std::size_t n) {
  std::size_t best = 1;
  while (best < n) best *= 2;
  for (std::size_t fives = 1; fives < best; fives *= 5) {
    for (std::size_t threes = fives; threes < best; threes *= 3) {
      std::size_t candidate = threes;
      while (candidate < n) candidate *= 2;
      best = std::min(best, candidate);
    }
  }
  return best;
}

ComplexFft::ComplexFft(std::size_t size) : plan_(std::make_unique<Plan>(size)), scratch_(size) {}
ComplexFft::~ComplexFft() = default;
ComplexFft::ComplexFft(ComplexFft&&) noexcept = default;
ComplexFft& ComplexFft::operator=(ComplexFft&&) noexcept = default;

void ComplexFft::forward(std::span<std::complex<double>> data) {
  assert(data.size() == size());
  plan_->transform.transform(data.data(), scratch_.data());
  std::copy(scratch_.begin(), scratch_.end(), data.begin());
}

void ComplexFft::inverse(std::span<std::complex<double>> data) {
  // x = conj(F(conj X))/N, so that one set of twiddle factors serves both directions.
  for (auto& value : data) value = std::conj(value);
  forward(data);
  const double scale = 1 / static_cast<double>(size());
  for (auto& value : data) value = std::conj(value) * scale;
}

}  // namespace sotto
