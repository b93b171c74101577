#include "core/streamed_hmac.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>
#include <stdexcept>

#include "core/hex_digits.h"

namespace sotto {

namespace {

void check(bool succeeded) {
  if (!succeeded) throw std::runtime_error("libcrypto: HMAC-SHA-256 failed");
}

}  // namespace

struct StreamedHmac::State {
  struct Free {
    void operator()(EVP_MAC* algorithm) const { EVP_MAC_free(algorithm); }
    void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
  };

  std::unique_ptr<EVP_MAC, Free> algorithm{EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr)};
  std::unique_ptr<EVP_MAC_CTX, Free> context{EVP_MAC_CTX_new(algorithm.get())};
};

StreamedHmac::StreamedHmac(std::string_view key) : state_(std::make_unique<State>()) {
  check(state_->context != nullptr);
  std::string digest = "SHA256";
  const std::array<OSSL_PARAM, 2> parameters{
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
      OSSL_PARAM_construct_end()};
  check(EVP_MAC_init(state_->context.get(), reinterpret_cast<const unsigned char*>(key.data()),
                     key.size(), parameters.data()) == 1);
}

StreamedHmac::~StreamedHmac() = default;

void StreamedHmac::add(std::string_view bytes) {
  check(EVP_MAC_update(state_->context.get(), reinterpret_cast<const unsigned char*>(bytes.data()),
                       bytes.size()) == 1);
}

std::string StreamedHmac::finish() {
  std::array<unsigned char, 32> digest{};
  std::size_t size = 0;
  check(EVP_MAC_final(state_->context.get(), digest.data(), &size, digest.size()) == 1 &&
        size == digest.size());
  return hex_digits(digest);
}

}  // namespace sotto
