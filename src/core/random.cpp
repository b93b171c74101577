#include "sotto/core/random.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace sotto {

namespace {

// Counts forks seen by this process; a generator whose count is older holds the parent's state.
std::atomic<std::uint64_t> fork_count{0};

void watch_forks() {
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { fork_count.fetch_add(1, std::memory_order_relaxed); });
  if (registered != 0) throw std::runtime_error("cannot watch for fork(): pthread_atfork failed");
}

}  // namespace

struct SecureRandom::Cipher {
  Cipher() : context(EVP_CIPHER_CTX_new()) {
    if (context == nullptr) throw std::runtime_error("libcrypto: no memory for a cipher");
  }
  ~Cipher() { EVP_CIPHER_CTX_free(context); }
  Cipher(const Cipher&) = delete;
  Cipher& operator=(const Cipher&) = delete;

  EVP_CIPHER_CTX* context;
};

SecureRandom::SecureRandom() : cipher_(std::make_unique<Cipher>()) {
  watch_forks();
  rekey();
}

SecureRandom::~SecureRandom() {
  const auto words = buffered_words();
  OPENSSL_cleanse(words.data(), words.size_bytes());
}

void SecureRandom::rekey() {
  fork_generation_ = fork_count.load(std::memory_order_relaxed);
  std::array<unsigned char, 32 + 16> seed{};  // key, then first counter block
  if (getentropy(seed.data(), seed.size()) != 0) {
    throw std::runtime_error("the operating system gives no entropy: getentropy failed");
  }
  const int ok = EVP_EncryptInit_ex(cipher_->context, EVP_aes_256_ctr(), nullptr, seed.data(),
                                    seed.data() + 32);
  OPENSSL_cleanse(seed.data(), seed.size());
  if (ok != 1) throw std::runtime_error("libcrypto: AES-256-CTR cannot be initialised");
}

bool SecureRandom::stale() const {
  return fork_generation_ != fork_count.load(std::memory_order_relaxed);
}

void SecureRandom::refill(std::span<std::uint64_t> words) {
  if (stale()) rekey();
  std::fill(words.begin(), words.end(), 0);
  auto* bytes = reinterpret_cast<unsigned char*>(words.data());
  const int wanted = static_cast<int>(words.size_bytes());
  int written = 0;
  // Encrypting zeros in place yields the key stream itself.
  if (EVP_EncryptUpdate(cipher_->context, bytes, &written, bytes, wanted) != 1 ||
      written != wanted) {
    throw std::runtime_error("libcrypto: AES-256-CTR failed");
  }
}

void SeededRandomNotPrivate::refill(std::span<std::uint64_t> words) {
  // SplitMix64 (Steele, Lea, Flood 2014): short, seedable by any value, good enough for tests.
  for (auto& word : words) {
    std::uint64_t mixed = (state_ += 0x9e3779b97f4a7c15U);
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    word = mixed ^ (mixed >> 31U);
  }
}

}  // namespace sotto
