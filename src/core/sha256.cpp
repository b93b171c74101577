#include "core/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

#include "core/atomic_file.h"
#include "core/hex_digits.h"

namespace sotto {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("libcrypto: SHA-256 failed");
  }
  return hex_digits(digest);
}

std::string sha256_hex_of_file(const std::filesystem::path& path) {
  return sha256_hex(read_file(path));
}

}  // namespace sotto
