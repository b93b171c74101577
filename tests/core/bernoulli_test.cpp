#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/distributions.h"
#include "sotto/core/error.h"

namespace sotto {
namespace {

// A source that plays back given words, to reach the cases that chance never would.
class ScriptedRandomNotPrivate final : public RandomSource {
 public:
  explicit ScriptedRandomNotPrivate(std::vector<std::uint64_t> script)
      : script_(std::move(script)) {}
  bool is_private() const override { return false; }

 private:
  void refill(std::span<std::uint64_t> words) override {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = i < script_.size() ? script_[i] : 0;
  }
  bool stale() const override { return false; }

  std::vector<std::uint64_t> script_;
};

bool flip(double probability, std::vector<std::uint64_t> script) {
  ScriptedRandomNotPrivate random(std::move(script));
  return Bernoulli(probability)(random);
}

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

TEST(Bernoulli, CertainAndImpossible) {
  for (const std::uint64_t word : {std::uint64_t{0}, std::uint64_t{1} << 63U, kAllOnes}) {
    EXPECT_TRUE(flip(1, {word}));
    EXPECT_FALSE(flip(0, {word}));
  }
}

TEST(Bernoulli, ComparesAllSixtyFourBits) {
  const std::uint64_t half = std::uint64_t{1} << 63U;
  EXPECT_TRUE(flip(0.5, {half - 1}));
  EXPECT_FALSE(flip(0.5, {half}));
  EXPECT_TRUE(flip(0.75, {half + (half >> 1U) - 1}));
  EXPECT_FALSE(flip(0.75, {half + (half >> 1U)}));
}

TEST(Bernoulli, LooksAtFurtherDigitsOnATie) {
  const double tiny = 0x1p-65;  // binary 0.000...0 (64 zeros) 1
  EXPECT_FALSE(flip(tiny, {1, 0}));
  EXPECT_TRUE(flip(tiny, {0, (std::uint64_t{1} << 63U) - 1}));
  EXPECT_FALSE(flip(tiny, {0, std::uint64_t{1} << 63U}));
  const double smallest = std::numeric_limits<double>::denorm_min();  // 2^-1074
  std::vector<std::uint64_t> zeros(17, 0);
  EXPECT_TRUE(flip(smallest, zeros));  // all the digits drawn are below the only 1 of p
  zeros[16] = std::uint64_t{1} << 14U;
  EXPECT_FALSE(flip(smallest, zeros));  // 2^-1074 itself is not below p
}

TEST(Bernoulli, RefusesWhatIsNoProbability) {
  EXPECT_THROW(Bernoulli(-0.1), InvalidArgument);
  EXPECT_THROW(Bernoulli(1.1), InvalidArgument);
  EXPECT_THROW(Bernoulli(std::nan("")), InvalidArgument);
}

// q = 1e-7 as a 24-bit float comparison really is 1.19e-7: six standard deviations tell the two
// apart after 2e9 draws, or at once when the comparison itself is counted.
TEST(Bernoulli, CatchesTheTwentyFourBitCoin) {
  const double q = 1e-7;
  const double float_coin = std::ceil(std::ldexp(q, 24)) * 0x1p-24;  // Pr[k 2^-24 < q]
  EXPECT_GT(float_coin / q, 1.19);
  // Ours: count the words that give heads, exactly.
  const auto threshold = static_cast<std::uint64_t>(std::ldexp(q, 64));
  EXPECT_TRUE(flip(q, {threshold - 1}));
  EXPECT_FALSE(flip(q, {threshold + 1}));
  EXPECT_NEAR(std::ldexp(static_cast<double>(threshold), -64) / q, 1, 1e-11);
}

TEST(Bernoulli, FrequencyIsRight) {
  SeededRandomNotPrivate random(11);
  for (const double p : {0.001, 0.3, 0.5, 0.9}) {
    const Bernoulli coin(p);
    const int draws = 400'000;
    int heads = 0;
    for (int i = 0; i < draws; ++i) heads += coin(random) ? 1 : 0;
    EXPECT_NEAR(heads, draws * p, 5 * std::sqrt(draws * p * (1 - p)));
  }
}

}  // namespace
}  // namespace sotto
