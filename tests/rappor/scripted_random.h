// A random source that is none: it says what it is told to.
#pragma once

#include <functional>
#include <utility>

#include "sotto/core/random.h"

namespace sotto::rappor {

class ScriptedRandom final : public RandomSource {
 public:
  // `word(i)` is the i-th word.
  explicit ScriptedRandom(std::function<std::uint64_t(std::uint64_t)> word)
      : word_(std::move(word)) {}

  bool is_private() const override { return false; }

 private:
  void refill(std::span<std::uint64_t> words) override {
    for (auto& word : words) word = word_(next_++);
  }
  bool stale() const override { return false; }

  std::function<std::uint64_t(std::uint64_t)> word_;
  std::uint64_t next_ = 0;
};

// The bytes 17 i mod 256, in order: what google/rappor's C++ tests read instead of /dev/urandom.
inline ScriptedRandom seventeens() {
  return ScriptedRandom([](std::uint64_t i) {
    std::uint64_t word = 0;
    for (std::uint64_t byte = 0; byte < 8; ++byte) {
      word |= ((8 * i + byte) * 17 % 256) << (8 * byte);
    }
    return word;
  });
}

}  // namespace sotto::rappor
