#include "runs/reliability.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/distributions.h"
#include "runs/classification_json.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

// Records of two classes that were given these probabilities of the second.
ScoredRecords given(const std::vector<std::pair<double, std::int64_t>>& probabilities) {
  ScoredRecords records{2};
  for (const auto& [probability, label] : probabilities) {
    records.scores.insert(records.scores.end(), {0, std::log(probability / (1 - probability))});
    records.labels.push_back(label);
  }
  return records;
}

TEST(Reliability, ByHandForTwoClasses) {
  const auto result = reliability(given({{0.22, 0}, {0.28, 1}, {0.25, 0}, {0.25, 0}, {0.9, 1}}));
  ASSERT_TRUE(result);
  ASSERT_EQ(result->bins.size(), 10U);
  const auto& third = result->bins[2];
  EXPECT_EQ(third.records, 4);
  EXPECT_EQ(third.happened, 1);
  EXPECT_NEAR(third.mean_probability, 0.25, 1e-12);
  EXPECT_DOUBLE_EQ(*third.observed(), 0.25);
  EXPECT_EQ(result->bins[0].records, 0);
  EXPECT_FALSE(result->bins[0].observed());
  EXPECT_NEAR(result->expected_error, 0.1 / 5, 1e-12);
  EXPECT_NEAR(result->brier, (0.22 * 0.22 + 0.72 * 0.72 + 2 * 0.25 * 0.25 + 0.1 * 0.1) / 5, 1e-12);
  EXPECT_NEAR(result->log_loss,
              -(std::log(0.78) + std::log(0.28) + 2 * std::log(0.75) + std::log(0.9)) / 5, 1e-12);
}

// Probabilities 1/2, 1/4, 1/4: of the predicted class, the first.
TEST(Reliability, OfMoreClassesItIsAboutThePredictedOne) {
  const ScoredRecords records{3, {std::log(2), 0, 0, std::log(2), 0, 0}, {0, 2}};
  const auto result = reliability(records);
  EXPECT_EQ(result->bins[5].records, 2);
  EXPECT_EQ(result->bins[5].happened, 1);
  EXPECT_NEAR(result->expected_error, 0, 1e-12);
  EXPECT_NEAR(result->brier, ((0.25 + 2 * 0.0625) + (0.25 + 0.0625 + 0.5625)) / 2, 1e-12);
  EXPECT_NEAR(result->log_loss, (std::log(2) + std::log(4)) / 2, 1e-12);
}

TEST(Reliability, ExtremeScoresStayFinite) {
  const auto sure = reliability(ScoredRecords{2, {0, 2000, 0, 2000}, {1, 0}});
  EXPECT_EQ(sure->bins[9].records, 2);
  EXPECT_DOUBLE_EQ(sure->log_loss, 1000);
  EXPECT_DOUBLE_EQ(sure->brier, 0.5);
  EXPECT_FALSE(reliability(ScoredRecords{2, {0, std::nan("")}, {1}}));
  EXPECT_FALSE(reliability(ScoredRecords{2, {}, {}}));
}

// Labels drawn from the probabilities themselves.
TEST(Reliability, TrueProbabilitiesHaveASmallError) {
  SeededRandomNotPrivate random(3);
  std::vector<std::pair<double, std::int64_t>> records;
  for (int i = 0; i < 20000; ++i) {
    const double probability = 0.01 + 0.98 * draw_uniform(random);
    records.emplace_back(probability, draw_uniform(random) < probability ? 1 : 0);
  }
  EXPECT_LT(reliability(given(records))->expected_error, 0.01);
  for (auto& [probability, label] : records) label = draw_uniform(random) < 0.5 ? 1 : 0;
  EXPECT_NEAR(reliability(given(records))->expected_error, 0.25, 0.01);
}

TEST(ClassificationJson, IsReadBackAsItWasWritten) {
  const auto records = given({{0.3, 0}, {0.35, 1}, {0.8, 1}, {0.6, 0}, {0.7, 1}});
  const auto scores = classification_scores({{1, 1}, {1, 2}}, records);
  const nlohmann::json json = json_of(scores, {"no", "yes"});
  EXPECT_EQ(json["baseline"]["class"], "yes");
  EXPECT_EQ(json["per_class"][0]["class"], "no");
  EXPECT_EQ(json["auc"]["of"], "class yes");
  EXPECT_EQ(json["calibration"]["probability_of"], "class yes");
  const auto auc = auc_from_json(json["auc"]);
  EXPECT_EQ(auc->value, scores.auc->value);
  EXPECT_EQ(auc->interval->low, scores.auc->interval->low);
  const auto reliability = reliability_from_json(json["calibration"]);
  EXPECT_EQ(reliability->brier, scores.reliability->brier);
  ASSERT_EQ(reliability->bins.size(), 10U);
  EXPECT_EQ(reliability->bins[3].happened, 1);
  EXPECT_EQ(reliability->bins[3].mean_probability, scores.reliability->bins[3].mean_probability);
}

TEST(ClassificationJson, DamagedMembersAreNamed) {
  using nlohmann::json;
  EXPECT_FALSE(auc_from_json(json()));
  EXPECT_FALSE(reliability_from_json(json()));
  EXPECT_THROW(auc_from_json(json(0.7)), InvalidArgument);
  EXPECT_THROW(auc_from_json({{"value", 1.5}}), InvalidArgument);
  EXPECT_THROW(auc_from_json({{"value", 0.5}, {"interval", {0.1, "x"}}}), InvalidArgument);
  json calibration = {{"expected_calibration_error", 0.1}, {"brier_score", 0.2}, {"log_loss", 0.3}};
  EXPECT_THROW(reliability_from_json(calibration), InvalidArgument);
  calibration["bins"] = {{{"from", 0}, {"to", 0.1}, {"records", 1}, {"happened", 2}}};
  EXPECT_THROW(reliability_from_json(calibration), InvalidArgument);
  calibration["bins"][0]["happened"] = 1;
  EXPECT_THROW(reliability_from_json(calibration), InvalidArgument);  // no mean probability
  calibration["bins"][0]["mean_probability"] = 0.05;
  EXPECT_EQ(reliability_from_json(calibration)->bins.size(), 1U);
}

}  // namespace
}  // namespace sotto::runs
