#include "runs/held_out_scores.h"

#include <gtest/gtest.h>

#include "core/distributions.h"

namespace sotto::runs {
namespace {

using accounting::Adjacency;

TEST(HeldOutScores, FollowFromNoisedCounts) {
  const HeldOutRelease release{1, Adjacency::kZeroOut, {{60, 20}, {15, 5}}};
  const auto scores = held_out_scores(release);
  EXPECT_EQ(scores.most_frequent, 0U);
  EXPECT_DOUBLE_EQ(*scores.baseline, 0.8);
  EXPECT_DOUBLE_EQ(*scores.recalls[1], 0.75);
  EXPECT_DOUBLE_EQ(*scores.balanced_accuracy, 0.75);
  const auto without_noise = wilson(0.75, 100);
  EXPECT_LT(scores.accuracy_interval->low, without_noise.low);
  EXPECT_GT(scores.accuracy_interval->high, without_noise.high);
}

TEST(HeldOutScores, NoiseThatLeavesNoRecordsLeavesNoScores) {
  const auto none = held_out_scores({1, Adjacency::kZeroOut, {{-3, 1}, {1, 0}}});
  EXPECT_FALSE(none.accuracy_interval);
  EXPECT_FALSE(none.baseline);
  EXPECT_FALSE(none.balanced_accuracy);
  const auto odd = held_out_scores({1, Adjacency::kZeroOut, {{12, -4}, {-2, 1}}});
  EXPECT_EQ(*odd.baseline, 1);  // 8 of 7
  EXPECT_EQ(*odd.recalls[0], 1);
  EXPECT_FALSE(odd.recalls[1]);
  EXPECT_FALSE(odd.balanced_accuracy);
}

// Records drawn anew, noise drawn anew: the interval is about the true accuracy.
TEST(HeldOutScores, TheIntervalCoversDrawAndNoise) {
  SeededRandomNotPrivate random(21);
  constexpr double kAccuracy = 0.8;
  constexpr int kRuns = 2000;
  int covered = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<AnswerCounts> counts(2);
    for (int i = 0; i < 120; ++i) {
      auto& count = counts[draw_uniform(random) < 0.3 ? 1 : 0];
      (draw_uniform(random) < kAccuracy ? count.right : count.wrong) += 1;
    }
    const auto release = noised(counts, {0.5, Adjacency::kZeroOut}, random);
    const auto interval = *held_out_scores(release).accuracy_interval;
    covered += interval.low <= kAccuracy && kAccuracy <= interval.high ? 1 : 0;
  }
  EXPECT_GT(covered, 0.93 * kRuns);
  EXPECT_LT(covered, 0.98 * kRuns);
}

}  // namespace
}  // namespace sotto::runs
