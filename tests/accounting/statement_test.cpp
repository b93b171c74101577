#include "sotto/accounting/statement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sotto::accounting {
namespace {

TrainingRun run_with(Sampling sampling, double noise) {
  TrainingRunOptions options;
  options.sampling = sampling;
  options.dataset_size = 1000;
  options.batch_size = 10;
  options.noise_multiplier = noise;
  options.epochs = 2;
  return TrainingRun(options);
}

PrivacyCost cost_of(double epsilon, double delta) {
  PrivacyCost cost{};
  cost.epsilon = epsilon;
  cost.delta = delta;
  return cost;
}

bool mentions(const std::vector<std::string>& warnings, const std::string& words) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& warning) {
    return warning.find(words) != std::string::npos;
  });
}

TEST(Rounding, NeverFlatters) {
  EXPECT_EQ(rounded_up(0.61108149, 4), "0.6111");
  EXPECT_EQ(rounded_up(0.61111, 4), "0.6112");
  EXPECT_EQ(rounded_up(1.0, 4), "1");
  EXPECT_EQ(rounded_up(9.99999, 4), "10");
  EXPECT_EQ(rounded_down(0.61119, 4), "0.6111");
  EXPECT_EQ(rounded_up(0, 4), "0");
  EXPECT_EQ(rounded_up(1e-5), "1e-05");
  EXPECT_EQ(rounded_up(std::numeric_limits<double>::infinity()), "∞");
  for (double value = 1e-12; value < 1e12; value *= 1.37) {
    EXPECT_GE(std::strtod(rounded_up(value).c_str(), nullptr), value);
    EXPECT_LE(std::strtod(rounded_down(value).c_str(), nullptr), value);
  }
}

TEST(Warnings, SayWhatTheReaderMustKnow) {
  const auto poisson = run_with(Sampling::kPoisson, 1);
  EXPECT_TRUE(mentions(privacy_warnings(poisson, cost_of(1, 1e-3)), "1/1000"));
  EXPECT_FALSE(mentions(privacy_warnings(poisson, cost_of(1, 1e-4)), "1/1000"));
  EXPECT_TRUE(mentions(privacy_warnings(poisson, cost_of(1, 1e-5)), "shuffle"));
  EXPECT_TRUE(mentions(privacy_warnings(poisson, cost_of(25, 1e-5)), "means nothing"));
  EXPECT_TRUE(mentions(privacy_warnings(poisson, cost_of(9, 1e-5)), "weak"));
  EXPECT_TRUE(privacy_warnings(run_with(Sampling::kShuffled, 1), cost_of(1, 1e-5)).empty());
  PrivacyCost approximate = cost_of(1, 1e-5);
  approximate.is_approximation = true;
  EXPECT_TRUE(mentions(privacy_warnings(poisson, approximate), "understate"));
}

TEST(Warnings, ALargeDeltaIsTheFirst) {
  PrivacyCost cost = cost_of(25, 1e-3);
  cost.is_approximation = true;
  const auto warnings = privacy_warnings(run_with(Sampling::kPoisson, 1), cost);
  EXPECT_EQ(warnings.front(), delta_warning(1e-3, 1000));
  EXPECT_EQ(std::count(warnings.begin(), warnings.end(), warnings.front()), 1);
  EXPECT_FALSE(delta_warning(1e-3, 999));
  EXPECT_FALSE(delta_warning(0.5, std::nullopt));
}

TEST(Statement, NamesWhomItProtectsAndUnderWhichSampling) {
  const auto statement = privacy_statement(run_with(Sampling::kFixedSize, 2),
                                           Neighbours(Adjacency::kReplaceOne), cost_of(1, 1e-5));
  EXPECT_NE(statement.promise.find("e^ε = 2.72"), std::string::npos);
  EXPECT_NE(statement.protects.find("replace-one"), std::string::npos);
  EXPECT_NE(statement.sampling_assumption.find("without replacement"), std::string::npos);
  EXPECT_NE(statement.noise_assumption.find("2 × C"), std::string::npos);
}

// Pr[S] <= e^ε Pr'[S] + δ, and nothing stronger: "except with probability δ" is another notion.
TEST(Statement, DeltaIsAddedAndTheNumberOfRecordsIsPublic) {
  for (const Adjacency adjacency :
       {Adjacency::kAddRemove, Adjacency::kReplaceOne, Adjacency::kZeroOut}) {
    for (const int group : {1, 5}) {
      const auto promise = privacy_statement(run_with(Sampling::kPoisson, 2),
                                             Neighbours(adjacency, group), cost_of(1, 1e-5))
                               .promise;
      EXPECT_NE(promise.find("times what it would be"), std::string::npos) << promise;
      EXPECT_NE(promise.find("plus δ = 1e-05"), std::string::npos) << promise;
      EXPECT_NE(promise.find("the number of records is public"), std::string::npos) << promise;
      EXPECT_EQ(promise.find("except"), std::string::npos) << promise;
      EXPECT_EQ(promise.find("5 records") != std::string::npos, group == 5) << promise;
    }
  }
}

TEST(Statement, PromisesNothingWithoutNoise) {
  const auto statement = privacy_statement(run_with(Sampling::kPoisson, 0), Neighbours(),
                                           cost_of(std::numeric_limits<double>::infinity(), 1e-5));
  EXPECT_EQ(statement.promise.find("None."), 0U);
}

}  // namespace
}  // namespace sotto::accounting
