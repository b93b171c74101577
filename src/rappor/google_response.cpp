// google/rappor's clients, bit for bit, except where they are wrong: q = 1 gives ones here (their
// threshold of 8 bits overflows to 0), and the cohort does not depend on the machine's byte order.
#include <bit>

#include "core/distributions.h"
#include "rappor/response.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

// A byte a bit, as HMAC-SHA256 of 32 bytes allows.
constexpr std::uint32_t kMostHmacBits = 32;

// Bytes of a random source, in the order in which they lie in its little-endian words.
class ByteStream {
 public:
  explicit ByteStream(RandomSource& random) : random_(random) {}

  std::uint8_t operator()() {
    if (left_ == 0) {
      word_ = random_();
      left_ = 8;
    }
    const auto byte = static_cast<std::uint8_t>(word_ & 0xFFU);
    word_ >>= 8U;
    --left_;
    return byte;
  }

 private:
  RandomSource& random_;
  std::uint64_t word_ = 0;
  int left_ = 0;
};

// Bit i from byte i: the lowest bit is the coin, the other seven decide whether it is used.
BitString permanent_from_bytes(const BitString& bits, std::string_view bytes, double f) {
  const auto threshold = static_cast<unsigned>(f * 128);
  BitString result(bits.size());
  for (std::uint32_t i = 0; i < bits.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const bool noisy = (byte >> 1U) < threshold;
    if (noisy ? (byte & 1U) != 0 : bits[i]) result.set(i);
  }
  return result;
}

BitString mixed(const BitString& bits, const BitString& if_zero, const BitString& if_one) {
  BitString result(bits.size());
  for (std::size_t i = 0; i < result.words().size(); ++i) {
    const std::uint64_t chosen = bits.words()[i];
    result.words()[i] = (if_zero.words()[i] & ~chosen) | (if_one.words()[i] & chosen);
  }
  return result;
}

std::string_view view(const Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

class GoogleCppResponse final : public Response {
 public:
  GoogleCppResponse(const Params& params, const ClientOptions& options)
      : params_(params), secret_(options.secret), metric_(options.metric) {
    check_argument(std::has_single_bit(params.cohorts()),
                   "m (cohorts) must be a power of two in profile google-cpp, got ",
                   params.cohorts());
    check_argument(params.bits() <= kMostHmacBits || params.bits() % 8 == 0,
                   "k (bits) must be at most 32 or a multiple of 8 in profile google-cpp, got ",
                   params.bits());
  }

  // The prefix, meant to be a NUL byte, is empty upstream.
  std::uint32_t cohort() const override {
    const std::string bytes = keyed_bytes("", 4);
    std::uint32_t number = 0;
    for (unsigned i = 0; i < 4; ++i) {
      number |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    return number & (params_.cohorts() - 1);
  }

  BitString permanent(const BitString& bits, std::uint32_t /*cohort*/) const override {
    const std::string filter = bits.size() <= kMostHmacBits ? four_bytes(bits)  // a 32-bit word
                                                            : bits.big_endian_bytes();
    return permanent_from_bytes(bits, keyed_bytes('\1' + metric_ + filter, bits.size()),
                                params_.f());
  }

  // Masks of 32 bits, from the highest bits down, p before q.
  BitString instantaneous(const BitString& bits, RandomSource& random) const override {
    ByteStream bytes(random);
    BitString if_zero(bits.size());
    BitString if_one(bits.size());
    const std::int64_t size = bits.size();
    if (size <= 32) {
      draw_mask(bytes, params_.p(), 0, size, if_zero);
      draw_mask(bytes, params_.q(), 0, size, if_one);
      return mixed(bits, if_zero, if_one);
    }
    for (std::int64_t first = size - 32; first > -32; first -= 32) {
      draw_mask(bytes, params_.p(), first, 32, if_zero);
      draw_mask(bytes, params_.q(), first, 32, if_one);
    }
    return mixed(bits, if_zero, if_one);
  }

 private:
  static std::string four_bytes(const BitString& bits) {
    const std::string bytes = bits.big_endian_bytes();
    return std::string(4 - bytes.size(), '\0') + bytes;
  }

  // `count` bits from bit `first` on; bits below 0 cost a byte and are lost, as upstream.
  static void draw_mask(ByteStream& bytes, double probability, std::int64_t first,
                        std::int64_t count, BitString& mask) {
    const auto threshold = static_cast<unsigned>(probability * 256);
    for (std::int64_t bit = first; bit < first + count; ++bit) {
      if (bytes() < threshold && bit >= 0) mask.set(static_cast<std::uint32_t>(bit));
    }
  }

  std::string keyed_bytes(const std::string& message, std::size_t size) const {
    if (params_.bits() > kMostHmacBits) return hmac_drbg(secret_, message, size);
    return std::string(view(HmacSha256(secret_)(message))).substr(0, size);
  }

  Params params_;
  std::string secret_;
  std::string metric_;
};

class GooglePythonResponse final : public Response {
 public:
  GooglePythonResponse(const Params& params, const ClientOptions& options)
      : params_(params), hmac_(options.secret) {
    check_argument(params.bits() <= kMostHmacBits,
                   "k (bits) must be at most 32 in profile google-python, got ", params.bits());
  }

  // Upstream leaves it to the caller; this is its simulation's rule made uniform.
  std::uint32_t cohort() const override {
    const auto digest = hmac_(std::string_view("\0", 1));
    std::uint64_t number = 0;
    for (unsigned i = 0; i < 8; ++i) number |= std::uint64_t{digest[i]} << (8 * i);
    return static_cast<std::uint32_t>(number % params_.cohorts());
  }

  // Neither a prefix nor the metric's name.
  BitString permanent(const BitString& bits, std::uint32_t /*cohort*/) const override {
    const std::string bytes = bits.big_endian_bytes();
    return permanent_from_bytes(bits, view(hmac_(std::string(4 - bytes.size(), '\0') + bytes)),
                                params_.f());
  }

  BitString instantaneous(const BitString& bits, RandomSource& random) const override {
    const BitString if_zero = drawn_mask(params_.p(), random);
    return mixed(bits, if_zero, drawn_mask(params_.q(), random));
  }

 private:
  BitString drawn_mask(double probability, RandomSource& random) const {
    BitString mask(params_.bits());
    for (std::uint32_t i = 0; i < mask.size(); ++i) {
      if (draw_uniform(random) < probability) mask.set(i);
    }
    return mask;
  }

  Params params_;
  HmacSha256 hmac_;
};

}  // namespace

std::unique_ptr<Response> google_response(const Params& params, const ClientOptions& options) {
  if (options.profile == Profile::kGooglePython) {
    return std::make_unique<GooglePythonResponse>(params, options);
  }
  return std::make_unique<GoogleCppResponse>(params, options);
}

}  // namespace sotto::rappor
