// OpenSSL's EVP interface costs more than the hashing of such short messages (a lookup and an
// allocation a call), and a client hashes several times a report: hence the older interface.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "rappor/keyed_hash.h"

#include <openssl/crypto.h>
#include <openssl/md5.h>

#include <algorithm>

namespace sotto::rappor {

namespace {

using Block = std::array<std::uint8_t, SHA256_CBLOCK>;

Block key_block(std::string_view key) {
  Block block{};
  if (key.size() > block.size()) {
    SHA256(reinterpret_cast<const unsigned char*>(key.data()), key.size(), block.data());
  } else {
    std::copy(key.begin(), key.end(), block.begin());
  }
  return block;
}

SHA256_CTX state_after(Block block, std::uint8_t pad) {
  for (auto& byte : block) byte ^= pad;
  SHA256_CTX state;
  SHA256_Init(&state);
  SHA256_Update(&state, block.data(), block.size());
  OPENSSL_cleanse(block.data(), block.size());
  return state;
}

std::string_view view(const Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace

Md5Digest md5(std::string_view bytes) {
  Md5Digest digest{};
  MD5(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return digest;
}

HmacSha256::HmacSha256(std::string_view key) : inner_(), outer_() {
  Block block = key_block(key);
  inner_ = state_after(block, 0x36);
  outer_ = state_after(block, 0x5c);
  OPENSSL_cleanse(block.data(), block.size());
}

HmacSha256::~HmacSha256() {
  OPENSSL_cleanse(&inner_, sizeof inner_);
  OPENSSL_cleanse(&outer_, sizeof outer_);
}

Sha256Digest HmacSha256::operator()(std::string_view message) const {
  Sha256Digest digest{};
  SHA256_CTX state = inner_;
  SHA256_Update(&state, message.data(), message.size());
  SHA256_Final(digest.data(), &state);
  state = outer_;
  SHA256_Update(&state, digest.data(), digest.size());
  SHA256_Final(digest.data(), &state);
  return digest;
}

std::string hmac_drbg(std::string_view key, std::string_view value, std::size_t size) {
  const std::string seed = std::string(key) + std::string(value);
  std::string k(32, '\0');
  std::string v(32, '\1');
  for (const char round : {'\0', '\1'}) {
    k = view(HmacSha256(k)(v + round + seed));
    v = view(HmacSha256(k)(v));
  }
  const HmacSha256 generate(k);
  std::string bytes;
  while (bytes.size() < size) {
    v = view(generate(v));
    bytes += v;
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace sotto::rappor
