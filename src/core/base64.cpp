#include "core/base64.h"

#include <openssl/evp.h>

#include <limits>

#include "sotto/core/error.h"

namespace sotto {
namespace {

// libcrypto counts in int.
constexpr std::size_t kMost = std::numeric_limits<int>::max() / 2;

const unsigned char* unsigned_bytes(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

std::size_t padding(std::string_view text) {
  if (text.ends_with("==")) return 2;
  return text.ends_with('=') ? 1 : 0;
}

}  // namespace

std::string base64(std::string_view bytes) {
  check_argument(bytes.size() <= kMost, "base64: too long, ", bytes.size(), " bytes");
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // with a NUL at the end
  const int written = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                      unsigned_bytes(bytes), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(written));
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0 || text.size() > kMost) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int written = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                      unsigned_bytes(text), static_cast<int>(text.size()));
  if (written < 0 || static_cast<std::size_t>(written) < padding(text)) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(written) - padding(text));
  // libcrypto forgives blanks around the text and stray bits at its end.
  if (base64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace sotto
