#include "runs/ranking_auc.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/gaussian_noise.h"
#include "core/normal.h"

namespace sotto::runs {
namespace {

// Two classes, the second with this log-odds.
ScoredRecords two_classes(const std::vector<double>& first, const std::vector<double>& second) {
  ScoredRecords records{2};
  const auto add = [&](double value, std::int64_t label) {
    records.scores.insert(records.scores.end(), {0, value});
    records.labels.push_back(label);
  };
  for (const double value : first) add(value, 0);
  for (const double value : second) add(value, 1);
  return records;
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// Of 9 pairs 7 are in order and one is a tie. Shares of the other class: 1, 1, 1/2 and 2/3, 5/6, 1,
// whose variances are 1/12 and 1/36.
TEST(RankingAuc, ByHandWithATie) {
  const auto auc = ranking_auc(two_classes({0.7, 0.4, 0.1}, {0.9, 0.8, 0.4}));
  ASSERT_TRUE(auc && auc->interval);
  EXPECT_DOUBLE_EQ(auc->value, 7.5 / 9);
  const double deviation = std::sqrt((1.0 / 12 + 1.0 / 36) / 3);
  const double half = 1.959963984540054 * deviation / (auc->value * (1 - auc->value));
  EXPECT_NEAR(auc->interval->low, logistic(std::log(5.0) - half), 1e-12);
  EXPECT_NEAR(auc->interval->high, logistic(std::log(5.0) + half), 1e-12);
  EXPECT_TRUE(auc->by_class.empty());
}

TEST(RankingAuc, NoPairOutOfOrderLeavesTheIntervalOfDisjointPairs) {
  const auto perfect = ranking_auc(two_classes({-3, -2, -1, -0.5}, {1, 2, 3}));
  EXPECT_EQ(perfect->value, 1);
  EXPECT_NEAR(perfect->interval->low, std::cbrt(0.025), 1e-12);
  EXPECT_EQ(perfect->interval->high, 1);
  const auto reversed = ranking_auc(two_classes({1, 2, 3}, {-3, -2, -1, -0.5}));
  EXPECT_EQ(reversed->value, 0);
  EXPECT_NEAR(reversed->interval->high, 1 - std::cbrt(0.025), 1e-12);
  const auto constant = ranking_auc(two_classes({5, 5, 5, 5}, {5, 5}));
  EXPECT_DOUBLE_EQ(constant->value, 0.5);
  EXPECT_LT(constant->interval->low, 0.1);
  EXPECT_GT(constant->interval->high, 0.9);
}

// Probabilities of these round to 1.
TEST(RankingAuc, RanksWhereProbabilitiesAreEqual) {
  EXPECT_EQ(ranking_auc(two_classes({50, 60}, {70, 80}))->value, 1);
}

TEST(RankingAuc, NothingWithoutTwoClassesOrFiniteScores) {
  EXPECT_FALSE(ranking_auc(two_classes({1, 2}, {})));
  EXPECT_FALSE(ranking_auc(two_classes({}, {})));
  EXPECT_FALSE(ranking_auc(two_classes({1, std::nan("")}, {2})));
  EXPECT_FALSE(ranking_auc(two_classes({1, HUGE_VAL}, {2})));
  const auto single = ranking_auc(two_classes({1, 2, 3}, {2.5}));
  EXPECT_DOUBLE_EQ(single->value, 2.0 / 3);
  EXPECT_FALSE(single->interval);
}

// Two normal distributions at a distance of 1: the AUC is Φ(1/√2).
TEST(RankingAuc, TheIntervalCoversTheTruthAboutAsOftenAsItSays) {
  SeededRandomNotPrivate random(11);
  const double truth = normal_cdf(std::sqrt(0.5));
  constexpr int kRuns = 1000;
  int covered = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> first;
    std::vector<double> second;
    for (int i = 0; i < 40; ++i) first.push_back(add_gaussian(0, 1, random));
    for (int i = 0; i < 25; ++i) second.push_back(add_gaussian(1, 1, random));
    const auto interval = *ranking_auc(two_classes(first, second))->interval;
    covered += interval.low <= truth && truth <= interval.high ? 1 : 0;
  }
  EXPECT_GT(covered, 0.93 * kRuns);
  EXPECT_LT(covered, 0.975 * kRuns);
}

ScoredRecords random_records(std::size_t classes, std::int64_t each, RandomSource& random) {
  ScoredRecords records{classes};
  for (std::int64_t i = 0; i < each * static_cast<std::int64_t>(classes); ++i) {
    const auto label = i % static_cast<std::int64_t>(classes);
    for (std::size_t k = 0; k < classes; ++k) {
      const double own = static_cast<std::int64_t>(k) == label ? 1 : 0;
      records.scores.push_back(add_gaussian(own, 1, random));
    }
    records.labels.push_back(label);
  }
  return records;
}

// Pair by pair.
double slow_mean_auc(const ScoredRecords& records) {
  double sum = 0;
  for (std::size_t k = 0; k < records.classes; ++k) {
    double won = 0;
    double pairs = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (records.labels[i] != static_cast<std::int64_t>(k)) continue;
      for (std::size_t j = 0; j < records.size(); ++j) {
        if (records.labels[j] == static_cast<std::int64_t>(k)) continue;
        const double one = records.probabilities(i)[k];
        const double other = records.probabilities(j)[k];
        won += one > other ? 1 : one == other ? 0.5 : 0;
        pairs += 1;
      }
    }
    sum += won / pairs;
  }
  return sum / static_cast<double>(records.classes);
}

ScoredRecords without(const ScoredRecords& records, std::size_t record) {
  ScoredRecords rest = records;
  const auto at = static_cast<std::ptrdiff_t>(record);
  const auto width = static_cast<std::ptrdiff_t>(records.classes);
  rest.labels.erase(rest.labels.begin() + at);
  rest.scores.erase(rest.scores.begin() + at * width, rest.scores.begin() + (at + 1) * width);
  return rest;
}

TEST(RankingAuc, OfManyClassesIsTheMeanOverAllPairs) {
  SeededRandomNotPrivate random(5);
  const auto records = random_records(4, 12, random);
  const auto auc = ranking_auc(records);
  EXPECT_NEAR(auc->value, slow_mean_auc(records), 1e-12);
  ASSERT_EQ(auc->by_class.size(), 4U);
  EXPECT_NEAR((*auc->by_class[0] + *auc->by_class[1] + *auc->by_class[2] + *auc->by_class[3]) / 4,
              auc->value, 1e-12);
}

// The jackknife, class by class, is another way to the variance.
TEST(RankingAuc, TheMeansVarianceIsThatOfTheJackknife) {
  SeededRandomNotPrivate random(6);
  const auto records = random_records(3, 60, random);
  const double value = ranking_auc(records)->value;
  double variance = 0;
  for (std::int64_t k = 0; k < 3; ++k) {
    std::vector<double> values;
    double mean = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (records.labels[i] != k) continue;
      values.push_back(ranking_auc(without(records, i))->value);
      mean += values.back() / 60;
    }
    for (const double left : values) variance += (left - mean) * (left - mean) * 59 / 60;
  }
  const auto interval = *ranking_auc(records)->interval;
  const auto logit = [](double p) { return std::log(p / (1 - p)); };
  const double half = (logit(interval.high) - logit(interval.low)) / 2;
  const double deviation = half / 1.959963984540054 * value * (1 - value);
  EXPECT_NEAR(deviation / std::sqrt(variance), 1, 0.02);
}

TEST(RankingAuc, AClassWithoutRecordsIsLeftOut) {
  ScoredRecords records{3, {2, 0, 0, 0, 2, 0, 1, 0, 0, 0, 3, 0}, {0, 1, 0, 1}};
  const auto auc = ranking_auc(records);
  EXPECT_EQ(auc->value, 1);
  EXPECT_FALSE(auc->by_class[2]);
}

}  // namespace
}  // namespace sotto::runs
