// MD5, HMAC-SHA256 and HMAC_DRBG, fast for short messages.
#pragma once

#include <openssl/sha.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sotto::rappor {

using Md5Digest = std::array<std::uint8_t, 16>;
using Sha256Digest = std::array<std::uint8_t, 32>;

// RFC 1321. Only spreads values over bits: nothing here needs it to resist attacks.
Md5Digest md5(std::string_view bytes);

// HMAC-SHA256 (RFC 2104) with one key, of any length. The two states that depend on the key alone
// are computed once, and wiped on destruction.
class HmacSha256 {
 public:
  explicit HmacSha256(std::string_view key);
  ~HmacSha256();
  HmacSha256(const HmacSha256&) = delete;
  HmacSha256& operator=(const HmacSha256&) = delete;

  Sha256Digest operator()(std::string_view message) const;

 private:
  SHA256_CTX inner_;
  SHA256_CTX outer_;
};

// HMAC_DRBG of NIST SP 800-90A with SHA-256, seeded by key and value: `size` bytes.
std::string hmac_drbg(std::string_view key, std::string_view value, std::size_t size);

}  // namespace sotto::rappor
