#include "sotto/core/random.h"

#include <gcrypt.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>

namespace sotto {

namespace {

// Counts forks seen by this process; a generator whose count is older holds the parent's state.
std::atomic<std::uint64_t> fork_count{0};

void watch_forks() {
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { fork_count.fetch_add(1, std::memory_order_relaxed); });
  if (registered != 0) throw std::runtime_error("cannot watch for fork(): pthread_atfork failed");
}

void check_gcrypt(gcry_error_t error, const char* step) {
  if (error == 0) return;
  throw std::runtime_error(std::string("libgcrypt: AES-256-CTR: ") + step + ": " +
                           gcry_strerror(error));
}

// Once in a process, unless the program or another library has done it. Memory that is locked
// against swapping is not asked for: the parameters that noise protects are not locked either.
void start_gcrypt() {
  static const bool started = [] {
    if (gcry_check_version("1.10.0") == nullptr) return false;
    if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P) != 0) return true;
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return true;
  }();
  if (!started) throw std::runtime_error("libgcrypt is older than 1.10");
}

// The compiler may not leave it out, as it may memset() before memory is freed.
void wipe(std::span<unsigned char> bytes) { explicit_bzero(bytes.data(), bytes.size()); }

}  // namespace

// libgcrypt's, since it uses the processor's widest AES instructions in counter mode (VAES), which
// OpenSSL 3.0 does not. It wipes its key when it is closed.
struct SecureRandom::Cipher {
  Cipher() {
    start_gcrypt();
    check_gcrypt(gcry_cipher_open(&handle, GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_CTR, 0), "open");
  }
  ~Cipher() { gcry_cipher_close(handle); }
  Cipher(const Cipher&) = delete;
  Cipher& operator=(const Cipher&) = delete;

  gcry_cipher_hd_t handle = nullptr;
};

SecureRandom::SecureRandom() : cipher_(std::make_unique<Cipher>()) {
  watch_forks();
  rekey();
}

SecureRandom::~SecureRandom() {
  const auto words = buffered_words();
  wipe({reinterpret_cast<unsigned char*>(words.data()), words.size_bytes()});
}

void SecureRandom::rekey() {
  const std::uint64_t forks = fork_count.load(std::memory_order_relaxed);
  std::array<unsigned char, 32 + 16> seed{};  // key, then first counter block
  if (getentropy(seed.data(), seed.size()) != 0) {
    throw std::runtime_error("the operating system gives no entropy: getentropy failed");
  }
  const gcry_error_t key_error = gcry_cipher_setkey(cipher_->handle, seed.data(), 32);
  const gcry_error_t counter_error = gcry_cipher_setctr(cipher_->handle, seed.data() + 32, 16);
  wipe(seed);
  check_gcrypt(key_error, "key");
  check_gcrypt(counter_error, "counter");
  fork_generation_ = forks;  // last: after a failure the old key must not be used again
}

bool SecureRandom::stale() const {
  return fork_generation_ != fork_count.load(std::memory_order_relaxed);
}

void SecureRandom::refill(std::span<std::uint64_t> words) {
  if (stale()) rekey();
  std::fill(words.begin(), words.end(), 0);
  // Encrypting zeros in place yields the key stream itself.
  check_gcrypt(gcry_cipher_encrypt(cipher_->handle, words.data(), words.size_bytes(), nullptr, 0),
               "encrypt");
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
