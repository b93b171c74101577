// Where random bits come from. Everything private draws from SecureRandom.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

namespace sotto {

// A buffered stream of 64-bit words. It is a UniformRandomBitGenerator, so the standard's and
// Boost's distributions take it. One object must not be used from two threads at once.
class RandomSource {
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  RandomSource(const RandomSource&) = delete;
  RandomSource& operator=(const RandomSource&) = delete;
  virtual ~RandomSource() = default;

  result_type operator()() {
    if (next_ == words_.size() || stale()) restart();
    return words_[next_++];
  }

  // Fills a whole block, without going through the buffer: fresh words, in no other use.
  void fill(std::span<std::uint64_t> words) { refill(words); }

  // True only if the bits are unpredictable to everyone, so that noise made of them may be
  // credited with privacy.
  virtual bool is_private() const = 0;

 protected:
  RandomSource() = default;
  virtual void refill(std::span<std::uint64_t> words) = 0;
  // True when buffered words must be thrown away (after a fork, see SecureRandom).
  virtual bool stale() const = 0;
  std::span<std::uint64_t> buffered_words() { return words_; }

 private:
  void restart() {
    next_ = words_.size();  // should refilling fail
    refill(words_);
    next_ = 0;
  }

  std::array<std::uint64_t, 512> words_{};
  std::size_t next_ = words_.size();
};

// AES-256 in counter mode (libgcrypt), key and counter from the operating system. A child
// process that inherits one by fork() draws a fresh key before its first word: parent and child
// never share noise. Key and buffer are wiped on destruction. Throws std::runtime_error if the
// operating system or libgcrypt fails.
class SecureRandom final : public RandomSource {
 public:
  SecureRandom();
  ~SecureRandom() override;

  bool is_private() const override { return true; }

 private:
  void refill(std::span<std::uint64_t> words) override;
  bool stale() const override;
  void rekey();

  struct Cipher;
  std::unique_ptr<Cipher> cipher_;
  std::uint64_t fork_generation_ = 0;
};

// The same words for the same seed, on every machine. For tests. Whoever knows or guesses the seed
// can subtract the noise: nothing drawn from it is private.
class SeededRandomNotPrivate final : public RandomSource {
 public:
  explicit SeededRandomNotPrivate(std::uint64_t seed) : state_(seed) {}

  bool is_private() const override { return false; }

 private:
  void refill(std::span<std::uint64_t> words) override;
  bool stale() const override { return false; }

  std::uint64_t state_;
};

}  // namespace sotto
