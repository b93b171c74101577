#include "sotto/core/gaussian_block.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "core/machine_clones.h"
#include "core/vector_functions.h"

namespace sotto {
namespace {

constexpr std::size_t kPairs = 512;
using Block = std::array<double, kPairs>;

// A 32-bit number as a double: the low bits of 2^52 + n are n. (No vector unit before AVX-512
// converts 64-bit integers.)
[[gnu::always_inline]] inline double from_32_bits(std::uint64_t n) {
  return std::bit_cast<double>(n | 0x4330000000000000U) - 0x1p52;
}

// bits + 1 as a multiple of 2^-64, in (0, 1].
[[gnu::always_inline]] inline double unit_interval(std::uint64_t bits) {
  return from_32_bits(bits >> 32U) * 0x1p-32 + (from_32_bits(bits & 0xffffffffU) + 1) * 0x1p-64;
}

SOTTO_CLONES void to_unit_interval(const std::uint64_t* __restrict bits, double* __restrict out) {
  for (std::size_t i = 0; i < kPairs; ++i) out[i] = unit_interval(bits[i]);
}

SOTTO_CLONES void multiply(double* __restrict values, const double* __restrict factors) {
  for (std::size_t i = 0; i < kPairs; ++i) values[i] *= factors[i];
}

// Box and Muller 1958: two independent normals from a radius and an angle.
void box_muller(const std::array<std::uint64_t, 2 * kPairs>& bits, double* first, double* second) {
  Block uniform;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  Block radius;   // NOLINT(cppcoreguidelines-pro-type-member-init)
  to_unit_interval(bits.data(), uniform.data());
  vector_radius(uniform.data(), radius.data(), kPairs);
  to_unit_interval(bits.data() + kPairs, uniform.data());
  vector_circle(uniform.data(), first, second, kPairs);
  multiply(first, radius.data());
  multiply(second, radius.data());
}

}  // namespace

void fill_standard_normal(std::span<double> values, RandomSource& random) {
  std::array<std::uint64_t, 2 * kPairs> bits{};
  std::array<double, 2 * kPairs> normals{};
  for (; values.size() >= normals.size(); values = values.subspan(normals.size())) {
    random.fill(bits);
    box_muller(bits, values.data(), values.data() + kPairs);
  }
  while (!values.empty()) {
    random.fill(bits);
    box_muller(bits, normals.data(), normals.data() + kPairs);
    const std::size_t count = std::min(values.size(), normals.size());
    std::copy_n(normals.begin(), count, values.begin());
    values = values.subspan(count);
  }
}

}  // namespace sotto
