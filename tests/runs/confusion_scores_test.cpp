#include "runs/confusion_scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace sotto::runs {
namespace {

using testing::HasSubstr;

// Closed forms where nothing, or everything, succeeded.
TEST(ShareInterval, ClopperPearsonAtTheEnds) {
  for (const std::int64_t n : {1, 7, 50, 10000}) {
    const double end = std::pow(0.025, 1.0 / static_cast<double>(n));
    EXPECT_NEAR(clopper_pearson(0, n).high, 1 - end, 1e-12);
    EXPECT_EQ(clopper_pearson(0, n).low, 0);
    EXPECT_NEAR(clopper_pearson(n, n).low, end, 1e-12);
    EXPECT_EQ(clopper_pearson(n, n).high, 1);
  }
}

// R: binom.test(8, 10)$conf.int
TEST(ShareInterval, ClopperPearsonOfEightInTen) {
  const auto interval = clopper_pearson(8, 10);
  EXPECT_NEAR(interval.low, 0.4439045, 1e-7);
  EXPECT_NEAR(interval.high, 0.9747893, 1e-7);
}

// Holds at least as often as it says: summed over the binomial distribution itself.
TEST(ShareInterval, ClopperPearsonCoversTheShare) {
  constexpr int kTrials = 25;
  for (const double share : {0.01, 0.1, 0.37, 0.5, 0.93}) {
    double covered = 0;
    for (int k = 0; k <= kTrials; ++k) {
      const auto [low, high] = clopper_pearson(k, kTrials);
      if (share < low || share > high) continue;
      covered +=
          std::exp(std::lgamma(kTrials + 1) - std::lgamma(k + 1) - std::lgamma(kTrials - k + 1) +
                   k * std::log(share) + (kTrials - k) * std::log1p(-share));
    }
    EXPECT_GE(covered, 0.95) << share;
  }
}

// R: prop.test(8, 10, correct = FALSE)$conf.int
TEST(ShareInterval, WilsonOfEightInTen) {
  const auto interval = wilson(0.8, 10);
  EXPECT_NEAR(interval.low, 0.4901625, 1e-6);
  EXPECT_NEAR(interval.high, 0.9433178, 1e-6);
  EXPECT_EQ(wilson(0, 5).low, 0);
  EXPECT_EQ(wilson(1, 5).high, 1);
}

TEST(ConfusionScores, ByHand) {
  const auto scores = confusion_scores({{50, 10, 0}, {5, 20, 5}, {0, 0, 10}});
  ASSERT_TRUE(scores);
  EXPECT_EQ(scores->records, 100);
  EXPECT_EQ(scores->right, 80);
  EXPECT_DOUBLE_EQ(scores->accuracy, 0.8);
  EXPECT_DOUBLE_EQ(scores->baseline.accuracy, 0.6);
  EXPECT_EQ(scores->baseline.answer, 0U);
  EXPECT_DOUBLE_EQ(scores->balanced_accuracy, (50.0 / 60 + 20.0 / 30 + 1) / 3);
  EXPECT_EQ(scores->classes[1].records, 30);
  EXPECT_EQ(scores->classes[1].predicted, 30);
  EXPECT_DOUBLE_EQ(*scores->classes[0].precision(), 50.0 / 55);
  EXPECT_DOUBLE_EQ(*scores->classes[2].recall(), 1);
  EXPECT_DOUBLE_EQ(*scores->classes[2].precision(), 10.0 / 15);
  EXPECT_LT(scores->accuracy_interval.low, 0.8);
  EXPECT_GT(scores->accuracy_interval.high, 0.8);
}

// Only the model is right on 9 records, only the baseline on 1: 2 (1 + 10) / 2^10.
TEST(ConfusionScores, McNemarIsTheSignTestOfWhereTheTwoDiffer) {
  const auto better = confusion_scores({{19, 1}, {6, 9}});
  EXPECT_DOUBLE_EQ(better->baseline.p_value, 22.0 / 1024);
  EXPECT_EQ(better->baseline.verdict, Verdict::kBetter);
  const auto worse = confusion_scores({{11, 9}, {14, 1}});
  EXPECT_DOUBLE_EQ(worse->baseline.p_value, 22.0 / 1024);
  EXPECT_EQ(worse->baseline.verdict, Verdict::kWorse);
  const auto few = confusion_scores({{9, 1}, {3, 4}});  // 2 (1 + 5) / 2^5
  EXPECT_DOUBLE_EQ(few->baseline.p_value, 12.0 / 32);
  EXPECT_EQ(few->baseline.verdict, Verdict::kUndecided);
}

TEST(ConfusionScores, AModelThatIsTheBaselineIsNotBetter) {
  const auto scores = confusion_scores({{30, 0}, {12, 0}});
  EXPECT_EQ(scores->baseline.p_value, 1);
  EXPECT_EQ(scores->baseline.verdict, Verdict::kUndecided);
  EXPECT_DOUBLE_EQ(scores->balanced_accuracy, 0.5);
  EXPECT_FALSE(scores->classes[1].precision());  // nothing was taken for it
  EXPECT_FALSE(scores->classes[1].precision_interval());
}

TEST(ConfusionScores, AClassWithoutRecordsDoesNotCount) {
  const auto scores = confusion_scores({{8, 2, 0}, {0, 5, 0}, {0, 0, 0}});
  EXPECT_DOUBLE_EQ(scores->balanced_accuracy, 0.9);
  EXPECT_FALSE(scores->classes[2].recall());
  EXPECT_FALSE(confusion_scores({{0, 0}, {0, 0}}));
  EXPECT_FALSE(confusion_scores({}));
}

TEST(ConfusionScores, TheSentenceSaysWhichAndHowSure) {
  const auto sentence = [](const ConfusionMatrix& confusion) {
    return baseline_sentence(confusion_scores(confusion)->baseline, "no");
  };
  EXPECT_EQ(sentence({{19, 1}, {6, 9}}),
            "Better than always answering 'no', which is right for 57.14 % (exact McNemar test, p "
            "= 0.021).");
  EXPECT_THAT(sentence({{11, 9}, {14, 1}}), HasSubstr("WORSE than always answering 'no'"));
  EXPECT_THAT(sentence({{9, 1}, {3, 4}}), HasSubstr("Not shown to be better"));
  EXPECT_THAT(sentence({{5000, 0}, {0, 4000}}), HasSubstr("p < 1e-99"));
}

}  // namespace
}  // namespace sotto::runs
