#include <array>
#include <bit>

#include "rappor/bit_coins.h"
#include "rappor/response.h"

namespace sotto::rappor {

namespace {

void append_big_endian(std::string& bytes, std::uint64_t value, unsigned width) {
  std::array<char, 8> digits{};
  for (unsigned i = 0; i < width; ++i) {
    digits[i] = static_cast<char>(value >> (8 * (width - 1 - i)) & 0xFFU);
  }
  bytes.append(digits.data(), width);
}

std::uint64_t little_endian_word(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i) word |= std::uint64_t{bytes[i]} << (8 * i);
  return word;
}

// HMAC(key, message ‖ counter) for counter = 0, 1, ...: the key derivation in counter mode of NIST
// SP 800-108, as words.
class KeyStream {
 public:
  KeyStream(const HmacSha256& hmac, std::string message)
      : hmac_(hmac), message_(std::move(message)), end_(message_.size()) {}

  std::uint64_t operator()() {
    if (used_ == block_.size()) refill();
    const std::uint64_t word = little_endian_word(block_.data() + used_);
    used_ += 8;
    return word;
  }

 private:
  void refill() {
    message_.resize(end_);
    append_big_endian(message_, counter_++, 4);
    block_ = hmac_(message_);
    used_ = 0;
  }

  const HmacSha256& hmac_;
  std::string message_;
  std::size_t end_;
  std::uint32_t counter_ = 0;
  Sha256Digest block_{};
  std::size_t used_ = block_.size();
};

class SottoResponse final : public Response {
 public:
  SottoResponse(const Params& params, const ClientOptions& options)
      : params_(params),
        hmac_(options.secret),
        prefix_(permanent_prefix(params, options.metric)),
        flip_(params.f() / 2, params.f() / 2),
        report_(params.p(), params.q()) {}

  // The remainder is uneven by less than m / 2^64.
  std::uint32_t cohort() const override {
    const auto digest = hmac_(std::string_view("\0", 1));
    return static_cast<std::uint32_t>(little_endian_word(digest.data()) % params_.cohorts());
  }

  BitString permanent(const BitString& bits, std::uint32_t cohort) const override {
    if (params_.f() == 0) return bits;
    std::string message;
    message.reserve(prefix_.size() + bits.size() / 8 + 16);  // with room for the counter
    message = prefix_;
    append_big_endian(message, cohort, 4);
    message += bits.big_endian_bytes();
    KeyStream stream(hmac_, std::move(message));
    BitString result = bits;
    for (std::size_t i = 0; i < result.words().size(); ++i) {
      result.words()[i] ^= flip_(0, result.mask(i), stream);
    }
    return result;
  }

  BitString instantaneous(const BitString& bits, RandomSource& random) const override {
    BitString result = bits;
    for (std::size_t i = 0; i < result.words().size(); ++i) {
      result.words()[i] = report_(bits.words()[i], bits.mask(i), random);
    }
    return result;
  }

 private:
  // All that the permanent response depends on besides secret, cohort and value. The parameters are
  // among it because responses of one value under two values of f, made of the same coins, would
  // reveal it where they differ.
  static std::string permanent_prefix(const Params& params, const std::string& metric) {
    std::string prefix;
    prefix.reserve(32 + metric.size());
    prefix = '\1';
    append_big_endian(prefix, params.bits(), 4);
    append_big_endian(prefix, params.hashes(), 4);
    append_big_endian(prefix, params.cohorts(), 4);
    append_big_endian(prefix, std::bit_cast<std::uint64_t>(params.f()), 8);
    append_big_endian(prefix, metric.size(), 4);
    return prefix + metric;
  }

  Params params_;
  HmacSha256 hmac_;
  std::string prefix_;
  BitCoins flip_;
  BitCoins report_;
};

}  // namespace

std::unique_ptr<Response> sotto_response(const Params& params, const ClientOptions& options) {
  return std::make_unique<SottoResponse>(params, options);
}

}  // namespace sotto::rappor
