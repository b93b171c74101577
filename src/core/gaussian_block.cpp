#include "core/gaussian_block.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/ziggurat.h"

namespace sotto {

void fill_standard_normal(std::span<double> values, RandomSource& random) {
  static const Ziggurat ziggurat;
  std::array<std::uint64_t, 512> words;  // NOLINT: filled before they are read
  while (!values.empty()) {
    const auto block = values.first(std::min(values.size(), words.size()));
    const auto bits = std::span(words).first(block.size());
    random.fill(bits);
    ziggurat.fill(bits, block, random);
    values = values.subspan(block.size());
  }
}

}  // namespace sotto
