#include "rappor/counts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "rappor/counts_file.h"
#include "sotto/core/error.h"

namespace sotto::rappor {
namespace {

const Params kParams({.bits = 16, .hashes = 2, .cohorts = 2, .f = .5, .p = .5, .q = .75});

TEST(Counts, SumOfTheUpstreamTest) {
  Summation summation(kParams);
  summation.add({1, BitString::from_text("0000111100001111")});
  summation.add({1, BitString::from_text("0000000000111100")});
  EXPECT_EQ(format_counts(summation.counts()),
            "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n2,1,1,2,2,1,1,0,0,1,1,1,1,0,0,0,0\n");
}

// Full counters, more than once, against a plain sum.
TEST(Counts, ManyReportsAreCountedExactly) {
  constexpr std::uint32_t kBits = 70;
  Summation summation(kBits, 2);
  SeededRandomNotPrivate random(1);
  std::vector<std::uint64_t> ones(kBits);
  constexpr std::uint64_t kReports = 20000;
  for (std::uint64_t i = 0; i < kReports; ++i) {
    BitString bits(kBits);
    for (std::uint32_t bit = 0; bit < kBits; ++bit) {
      if (bit == 69 || (random() & 1U) != 0) bits.set(bit);
    }
    for (std::uint32_t bit = 0; bit < kBits; ++bit) ones[bit] += bits[bit];
    summation.add({1, bits});
  }
  EXPECT_EQ(summation.counts().reports(1), kReports);
  EXPECT_EQ(summation.counts().reports(0), 0U);
  for (std::uint32_t bit = 0; bit < kBits; ++bit)
    EXPECT_EQ(summation.counts().ones(1, bit), ones[bit]);
}

RC_GTEST_PROP(CountsProperties, PartsAddUpToTheWhole, ()) {
  const auto bits = *rc::gen::inRange<std::uint32_t>(1, 130);
  const auto cohorts = *rc::gen::inRange<std::uint32_t>(1, 5);
  SeededRandomNotPrivate random(*rc::gen::arbitrary<std::uint64_t>());
  Summation whole(bits, cohorts);
  Summation parts[2] = {Summation(bits, cohorts), Summation(bits, cohorts)};
  for (int i = 0; i < 50; ++i) {
    Report report{static_cast<std::uint32_t>(random() % cohorts), BitString(bits)};
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
      if ((random() & 1U) != 0) report.bits.set(bit);
    }
    whole.add(report);
    parts[random() % 2].add(report);
  }
  Counts sum = parts[1].counts();
  sum.merge(parts[0].counts());
  RC_ASSERT(sum == whole.counts());
  RC_ASSERT(sum.total() == 50U);
}

TEST(Counts, RefusesWhatDoesNotFit) {
  Summation summation(kParams);
  EXPECT_THROW(summation.add({2, BitString(16)}), InvalidArgument);
  EXPECT_THROW(summation.add({0, BitString(15)}), InvalidArgument);
  Counts counts(kParams);
  EXPECT_THROW(counts.merge(Counts(16, 3)), InvalidArgument);
  EXPECT_THROW(counts.add(0, 1, std::vector<std::uint64_t>(16, 2)), InvalidArgument);
  EXPECT_THROW(counts.add(0, std::uint64_t{1} << 60U, std::vector<std::uint64_t>(16)),
               InvalidArgument);
}

TEST(CountsFile, ReadsBack) {
  const std::string text = "3,1,2\n4,4,0\n";
  const Params params({.bits = 2, .hashes = 1, .cohorts = 2, .f = 0, .p = .5, .q = .75});
  EXPECT_EQ(format_counts(parse_counts(text, params, "counts.csv")), text);
  EXPECT_EQ(format_counts(parse_counts("\xEF\xBB\xBF" + std::string(text), params, "c")), text);
}

TEST(CountsFile, RefusesOtherTexts) {
  const Params params({.bits = 2, .hashes = 1, .cohorts = 2, .f = 0, .p = .5, .q = .75});
  for (const char* text : {"", "3,1,2\n", "3,1,2\n4,4,0", "3,1,2\n4,4\n", "3,1,2\n4,4,x\n",
                           "3,1,2\n4,5,0\n", "3,1,2\n4,-1,0\n", "3,1,2\n4,1.5,0\n",
                           "3,1,2\n4,4,0\n4,4,0\n", "3,1,2\n18446744073709551615,4,0\n"}) {
    EXPECT_THROW(parse_counts(text, params, "counts.csv"), InvalidArgument) << text;
  }
}

}  // namespace
}  // namespace sotto::rappor
