// Compiled with -ffast-math, for the vectorised log, sin and cos of libmvec (under 4 ulp): nothing
// in this file may meet an infinity or a NaN.
#include "sotto/core/gaussian_block.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace sotto {
namespace {

constexpr std::size_t kPairs = 512;

// The compiler's vectoriser is not told which machine it will run on; one clone for each.
#define SOTTO_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))

// bits + 1 as a multiple of 2^-64, in (0, 1]. By halves, since no vector unit before AVX-512
// converts 64-bit integers.
inline double unit_interval(std::uint64_t bits) {
  const auto high = static_cast<std::int32_t>(bits >> 32U);
  const auto low = static_cast<std::int32_t>(bits & 0xffffffffU);
  constexpr double kHalf = 0x1p31;  // signed halves to unsigned ones
  const double unsigned_high = static_cast<double>(high) + (high < 0 ? 2 * kHalf : 0);
  const double unsigned_low = static_cast<double>(low) + (low < 0 ? 2 * kHalf : 0);
  return unsigned_high * 0x1p-32 + (unsigned_low + 1) * 0x1p-64;
}

SOTTO_CLONES
void box_muller(const std::uint64_t* bits, double* first, double* second) {
  for (std::size_t i = 0; i < kPairs; ++i) {
    const double radius = std::sqrt(-2 * std::log(unit_interval(bits[i])));
    const double angle = 2 * std::numbers::pi * unit_interval(bits[kPairs + i]);
    first[i] = radius * std::cos(angle);
    second[i] = radius * std::sin(angle);
  }
}

}  // namespace

void fill_standard_normal(std::span<double> values, RandomSource& random) {
  std::array<std::uint64_t, 2 * kPairs> bits{};
  std::array<double, 2 * kPairs> normals{};
  while (!values.empty()) {
    random.fill(bits);
    box_muller(bits.data(), normals.data(), normals.data() + kPairs);
    const std::size_t count = std::min(values.size(), normals.size());
    std::copy_n(normals.begin(), count, values.begin());
    values = values.subspan(count);
  }
}

}  // namespace sotto
