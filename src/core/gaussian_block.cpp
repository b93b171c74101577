#include "sotto/core/gaussian_block.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/box_muller.h"

namespace sotto {
namespace {

constexpr std::size_t kPairs = 512;

}  // namespace

void fill_standard_normal(std::span<double> values, RandomSource& random) {
  std::array<std::uint64_t, 2 * kPairs> bits{};
  std::array<double, 2 * kPairs> normals{};
  for (; values.size() >= normals.size(); values = values.subspan(normals.size())) {
    random.fill(bits);
    box_muller(bits.data(), bits.data() + kPairs, values.data(), values.data() + kPairs, kPairs);
  }
  while (!values.empty()) {
    random.fill(bits);
    box_muller(bits.data(), bits.data() + kPairs, normals.data(), normals.data() + kPairs, kPairs);
    const std::size_t count = std::min(values.size(), normals.size());
    std::copy_n(normals.begin(), count, values.begin());
    values = values.subspan(count);
  }
}

}  // namespace sotto
