// Never: Bernoulli(q) by comparing a 24-bit float.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "plan/batch_sampler.h"

namespace sotto {
namespace {

using testing::HasSubstr;

// The same word for ever.
class OneWordNotPrivate final : public RandomSource {
 public:
  explicit OneWordNotPrivate(std::uint64_t word) : word_(word) {}
  bool is_private() const override { return false; }

 private:
  void refill(std::span<std::uint64_t> words) override {
    std::fill(words.begin(), words.end(), word_);
  }
  bool stale() const override { return false; }

  std::uint64_t word_;
};

// Whether a record is drawn when the generator gives this word.
using Included = std::function<bool(std::uint64_t word, double rate)>;

// The exact probability with which a record is drawn, by bisection for the first word that leaves
// it out.
long double probability(const Included& included, double rate) {
  std::uint64_t in = 0;
  std::uint64_t out = std::numeric_limits<std::uint64_t>::max();
  while (out - in > 1) {
    const std::uint64_t middle = in + (out - in) / 2;
    (included(middle, rate) ? in : out) = middle;
  }
  return std::ldexp(static_cast<long double>(out), -64);
}

std::string why_coin_is_unfair(const Included& included) {
  for (const std::int64_t one_in : {3, 1000, 20000}) {
    const double rate = 1.0 / static_cast<double>(one_in);
    const auto error = std::abs(probability(included, rate) - static_cast<long double>(rate));
    if (error > std::ldexp(1.0L, -63)) {
      return "one in " + std::to_string(one_in) + ": relative error " +
             std::to_string(static_cast<double>(error / rate));
    }
  }
  return "";
}

bool sampler_includes(std::uint64_t word, double rate) {
  PlanOptions options;
  options.dataset_size = std::llround(1 / rate);
  options.batch_size = 1;
  options.steps = 1;
  options.noise_multiplier = 1;
  OneWordNotPrivate random(word);
  return !BatchSampler(Plan(options), random).draw().empty();
}

TEST(NeverCoin, TheSamplerComparesAllBits) { EXPECT_EQ(why_coin_is_unfair(sampler_includes), ""); }

TEST(NeverCoin, A24BitFloatIsUnfair) {
  EXPECT_THAT(why_coin_is_unfair([](std::uint64_t word, double rate) {
                return static_cast<float>(word >> 40U) * 0x1p-24F < static_cast<float>(rate);
              }),
              HasSubstr("relative error"));
}

TEST(NeverCoin, A32BitIntegerIsUnfair) {
  EXPECT_THAT(why_coin_is_unfair([](std::uint64_t word, double rate) {
                return static_cast<double>(word >> 32U) < rate * 0x1p32;
              }),
              HasSubstr("relative error"));
}

TEST(NeverCoin, A53BitDoubleIsUnfair) {
  EXPECT_THAT(why_coin_is_unfair([](std::uint64_t word, double rate) {
                return static_cast<double>(word >> 11U) * 0x1p-53 < rate;
              }),
              HasSubstr("relative error"));
}

}  // namespace
}  // namespace sotto
