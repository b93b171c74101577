#include "rappor/repeated_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sotto::rappor {

namespace {

constexpr std::size_t kMostSampled = 65536;

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31U);
}

}  // namespace

void RepeatedRows::add(std::uint64_t row_hash) {
  if (row_hash > limit_) return;
  ++seen_[row_hash];
  if (seen_.size() > kMostSampled) thin();
}

void RepeatedRows::thin() {
  limit_ /= 2;
  std::erase_if(seen_, [this](const auto& entry) { return entry.first > limit_; });
}

std::size_t RepeatedRows::repeated() const {
  return static_cast<std::size_t>(std::count_if(
      seen_.begin(), seen_.end(), [](const auto& entry) { return entry.second > 1; }));
}

std::uint64_t row_hash(const void* bytes, std::size_t size, std::uint64_t start) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  std::uint64_t hash = mixed(start + 0x9e3779b97f4a7c15U * (size + 1));
  for (std::size_t left = size; left > 0;) {
    const std::size_t taken = std::min<std::size_t>(left, 8);
    std::uint64_t word = 0;
    std::memcpy(&word, at, taken);
    hash = mixed(std::rotl(hash, 5) ^ (word + 0x9e3779b97f4a7c15U));
    at += taken;
    left -= taken;
  }
  return hash;
}

}  // namespace sotto::rappor
