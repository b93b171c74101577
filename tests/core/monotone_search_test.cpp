#include "core/monotone_search.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sotto {
namespace {

TEST(MonotoneSearch, EndsOnTheWantedSideWithFewEvaluations) {
  int evaluations = 0;
  const auto decreasing = [&](double x) {
    ++evaluations;
    return std::log(7.25 / x);
  };
  const double found = smallest_nonpositive(1, 1000, 1e-9, decreasing);
  EXPECT_GE(found, 7.25);
  EXPECT_NEAR(found, 7.25, 1e-7);
  EXPECT_LT(evaluations, 20);
}

TEST(MonotoneSearch, SurvivesAStepAndNoise) {
  const auto step = [](double x) { return x < 3 ? 1.0 : -1e-9; };
  EXPECT_NEAR(smallest_nonpositive(0.001, 1000, 1e-8, step), 3, 1e-6);
  const auto noisy = [](double x) { return 5 - x + 1e-4 * std::sin(1e6 * x); };
  EXPECT_NEAR(smallest_nonpositive(1, 10, 1e-8, noisy), 5, 1e-3);
}

TEST(MonotoneSearch, LargestIntegerForEveryThresholdAndGuess) {
  for (const std::int64_t limit : {1, 2, 7, 1000}) {
    for (std::int64_t threshold = 0; threshold <= limit; threshold += 1 + limit / 13) {
      for (const std::int64_t guess : {std::int64_t{-5}, std::int64_t{1}, threshold, limit * 3}) {
        const auto holds = [&](std::int64_t n) { return n <= threshold; };
        EXPECT_EQ(largest_holding(guess, limit, holds), threshold)
            << "limit " << limit << ", guess " << guess;
      }
    }
  }
}

TEST(MonotoneSearch, LargestIntegerIsCheapWithAGoodGuess) {
  int evaluations = 0;
  const auto holds = [&](std::int64_t n) {
    ++evaluations;
    return n <= 1'000'000;
  };
  EXPECT_EQ(largest_holding(990'000, std::int64_t{1} << 50U, holds), 1'000'000);
  EXPECT_LT(evaluations, 25);
}

}  // namespace
}  // namespace sotto
