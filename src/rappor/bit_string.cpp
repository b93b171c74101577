#include "sotto/rappor/rappor.h"

#include "sotto/core/error.h"

namespace sotto::rappor {

BitString::BitString(std::uint32_t size, std::vector<std::uint64_t> words)
    : size_(size), words_(std::move(words)) {
  check_argument(words_.size() == (size + 63) / 64, "a string of ", size, " bits has ",
                 (size + 63) / 64, " words, got ", words_.size());
  check_argument(words_.empty() || (words_.back() & ~mask(words_.size() - 1)) == 0,
                 "a bit beyond bit ", size, " is set");
}

BitString BitString::from_text(std::string_view text) {
  BitString bits(static_cast<std::uint32_t>(text.size()));
  for (std::uint32_t i = 0; i < bits.size(); ++i) {
    const char digit = text[text.size() - 1 - i];
    check_argument(digit == '0' || digit == '1', "bits must be written with 0 and 1");
    if (digit == '1') bits.set(i);
  }
  return bits;
}

std::string BitString::text() const {
  std::string text(size_, '0');
  for (std::uint32_t i = 0; i < size_; ++i) {
    if ((*this)[i]) text[size_ - 1 - i] = '1';
  }
  return text;
}

std::string BitString::big_endian_bytes() const {
  const std::uint32_t count = (size_ + 7) / 8;
  std::string bytes(count, '\0');
  for (std::uint32_t i = 0; i < count; ++i) {
    bytes[count - 1 - i] = static_cast<char>(words_[i / 8] >> (8 * (i % 8)) & 0xFFU);
  }
  return bytes;
}

}  // namespace sotto::rappor
