#include "rappor/bloom.h"

#include "rappor/keyed_hash.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

std::string hash_input(std::uint32_t cohort, std::string_view value) {
  std::string input;
  input.reserve(4 + value.size());
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    input += static_cast<char>(cohort >> shift & 0xFFU);
  }
  return input.append(value);
}

// Numbers of one or two bytes, read from the digest one after the other.
class DigestNumbers {
 public:
  DigestNumbers(const Md5Digest& digest, unsigned width) : digest_(digest), width_(width) {}

  std::uint32_t next() {
    if (used_ + width_ > digest_.size()) {
      digest_ = md5({reinterpret_cast<const char*>(digest_.data()), digest_.size()});
      used_ = 0;
    }
    std::uint32_t number = 0;
    for (unsigned i = 0; i < width_; ++i) number |= std::uint32_t{digest_[used_++]} << (8 * i);
    return number;
  }

 private:
  Md5Digest digest_;
  unsigned width_;
  std::size_t used_ = 0;
};

}  // namespace

std::vector<std::uint32_t> bloom_positions(const Params& params, Profile profile,
                                           std::uint32_t cohort, std::string_view value) {
  const std::uint32_t bits = params.bits();
  const unsigned width = bits <= 256 ? 1 : 2;
  check_argument(
      profile == Profile::kSotto || std::size_t{width} * params.hashes() <= sizeof(Md5Digest),
      "h (hashes) must be at most 8 for k above 256 in profile ", profile_name(profile), ", got ",
      params.hashes());
  const std::uint32_t range = width == 1 ? 256 : 65536;
  const std::uint32_t limit = profile == Profile::kSotto ? range - range % bits : range;
  DigestNumbers numbers(md5(hash_input(cohort, value)), width);
  std::vector<std::uint32_t> positions;
  positions.reserve(params.hashes());
  while (positions.size() < params.hashes()) {
    const std::uint32_t number = numbers.next();
    if (number < limit) positions.push_back(number % bits);
  }
  return positions;
}

BitString bloom_filter(const Params& params, Profile profile, std::uint32_t cohort,
                       std::string_view value) {
  BitString filter(params.bits());
  for (const auto bit : bloom_positions(params, profile, cohort, value)) filter.set(bit);
  return filter;
}

}  // namespace sotto::rappor
