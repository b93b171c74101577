// The k bits of a Bloom filter, of a permanent response, or of a report.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::rappor {

// Bit i is bit i % 64 of word i / 64; bits from size() on are 0.
class BitString {
 public:
  BitString() = default;
  // All 0.
  explicit BitString(std::uint32_t size) : size_(size), words_((size + 63) / 64) {}
  // Throws InvalidArgument unless the number of words fits the size and no bit lies beyond it.
  BitString(std::uint32_t size, std::vector<std::uint64_t> words);

  // Written with the highest bit first, as google/rappor does. Throws InvalidArgument unless the
  // text consists of 0 and 1.
  static BitString from_text(std::string_view text);
  std::string text() const;

  std::uint32_t size() const { return size_; }
  bool operator[](std::uint32_t bit) const { return (words_[bit / 64] >> (bit % 64) & 1U) != 0; }
  void set(std::uint32_t bit) { words_[bit / 64] |= std::uint64_t{1} << (bit % 64); }

  std::span<const std::uint64_t> words() const { return words_; }
  std::span<std::uint64_t> words() { return words_; }
  // The bits that exist in word `index`.
  std::uint64_t mask(std::size_t index) const {
    const std::size_t used = size_ - 64 * index;
    return used >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << used) - 1;
  }

  // ⌈size/8⌉ bytes, the byte of the highest bits first.
  std::string big_endian_bytes() const;

  bool operator==(const BitString&) const = default;

 private:
  std::uint32_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace sotto::rappor
