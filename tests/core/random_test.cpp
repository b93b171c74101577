#include "sotto/core/random.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <set>
#include <vector>

namespace sotto {
namespace {

std::vector<std::uint64_t> draw(RandomSource& random, std::size_t count) {
  std::vector<std::uint64_t> words(count);
  std::generate(words.begin(), words.end(), [&] { return random(); });
  return words;
}

TEST(SecureRandom, GeneratorsNeverShareTheirStream) {
  SecureRandom first;
  SecureRandom second;
  const auto a = draw(first, 2000);
  const auto b = draw(second, 2000);
  std::set<std::uint64_t> all(a.begin(), a.end());
  all.insert(b.begin(), b.end());
  EXPECT_EQ(all.size(), 4000U);  // a collision among 4000 has probability 4e-13
}

TEST(SecureRandom, BitsAreBalanced) {
  SecureRandom random;
  const std::size_t words = 100'000;
  std::array<int, 64> ones{};
  for (std::size_t i = 0; i < words; ++i) {
    const std::bitset<64> bits(random());
    for (std::size_t b = 0; b < 64; ++b) ones[b] += bits[b] ? 1 : 0;
  }
  for (const int count : ones)
    EXPECT_NEAR(count, words / 2, 7 * 158.2);  // seven standard deviations
}

// A worker that inherits a generator must not add the same noise as its parent.
TEST(SecureRandom, ForkedChildDrawsOtherWords) {
  SecureRandom random;
  random();  // the buffer is now filled: the child inherits words not yet used
  int channel[2];
  ASSERT_EQ(pipe(channel), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto words = draw(random, 8);
    const auto bytes = static_cast<ssize_t>(words.size() * sizeof(std::uint64_t));
    _exit(write(channel[1], words.data(), words.size() * sizeof(std::uint64_t)) == bytes ? 0 : 1);
  }
  std::vector<std::uint64_t> childs(8);
  ASSERT_EQ(read(channel[0], childs.data(), 64), 64);
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  const auto parents = draw(random, 8);
  for (const auto word : childs) {
    EXPECT_EQ(std::count(parents.begin(), parents.end(), word), 0);
  }
  close(channel[0]);
  close(channel[1]);
}

TEST(SeededRandomNotPrivate, RepeatsAndSaysThatItIsNotPrivate) {
  SeededRandomNotPrivate first(7);
  SeededRandomNotPrivate second(7);
  SeededRandomNotPrivate other(8);
  const auto words = draw(first, 1000);
  EXPECT_EQ(words, draw(second, 1000));
  EXPECT_NE(words, draw(other, 1000));
  EXPECT_FALSE(first.is_private());
  EXPECT_TRUE(SecureRandom().is_private());
}

}  // namespace
}  // namespace sotto
