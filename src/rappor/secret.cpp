#include "sotto/rappor/rappor.h"

#include "rappor/keyed_hash.h"
#include "sotto/core/error.h"
#include "sotto/core/random.h"

namespace sotto::rappor {

namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

std::string fresh_secret_text() {
  SecureRandom random;
  std::string text;
  for (int word = 0; word < 4; ++word) {
    const std::uint64_t bits = random();
    for (unsigned shift = 0; shift < 64; shift += 4) text += kDigits[bits >> shift & 15U];
  }
  return text + '\n';
}

std::string parse_secret_text(std::string_view text, const std::string& name) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const bool valid = text.size() == 64 && text.find_first_not_of(kDigits) == std::string_view::npos;
  check_argument(valid, name, ": expected 64 hexadecimal digits (a secret of 32 bytes)");
  std::string secret;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    secret += static_cast<char>(16 * kDigits.find(text[i]) + kDigits.find(text[i + 1]));
  }
  return secret;
}

ClientSecrets::ClientSecrets(std::string_view master)
    : hmac_(std::make_unique<HmacSha256>(master)) {}

ClientSecrets::~ClientSecrets() = default;

std::string ClientSecrets::operator()(std::string_view client) const {
  const auto digest = (*hmac_)(client);
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace sotto::rappor
