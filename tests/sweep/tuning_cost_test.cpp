#include "sweep/tuning_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "plan/plan_json.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/accounting/tuning.h"
#include "sotto/plan/plan.h"

namespace sotto::sweep {
namespace {

using accounting::Adjacency;
using accounting::Composition;
using accounting::GaussianEvent;
using accounting::Neighbours;
using accounting::PoissonGaussianEvent;
using accounting::Sampling;
using testing::HasSubstr;

PlanOptions options_with(double noise, Sampling sampling = Sampling::kPoisson) {
  PlanOptions options;
  options.dataset_size = 10000;
  options.batch_size = 100;
  options.steps = 1000;
  options.noise_multiplier = noise;
  options.sampling = sampling;
  options.fill_batches = false;
  return options;
}

runs::RunCharge charge(const PlanOptions& options, std::int64_t steps, double delta = 1e-5) {
  runs::RunCharge one;
  one.ledger.emplace();
  one.ledger->path = "ledger.jsonl";
  one.ledger->plan = json_of(Plan(options));
  one.ledger->steps_charged = steps;
  one.delta = delta;
  return one;
}

TunedRuns tuned(std::vector<runs::RunCharge> charges) {
  TunedRuns runs;
  runs.charges = std::move(charges);
  for (std::size_t i = 0; i < runs.charges.size(); ++i) {
    runs.names.push_back("run " + std::to_string(i));
  }
  runs.complete = true;
  return runs;
}

double epsilon_of(const Composition& composition, Adjacency adjacency = Adjacency::kAddRemove) {
  return accounting::cost_at_delta(composition, Neighbours(adjacency), 1e-5).epsilon;
}

TEST(TuningCost, RunsThatWereEndedEarlyHaveACondition) {
  auto runs = tuned({charge(options_with(1.1), 500), charge(options_with(1.1), 500)});
  EXPECT_EQ(cost_of_tuning(runs).statement.find("ended early"), std::string::npos);
  runs.draw = RandomCount(RunsDistribution::kGeometric, 5);
  EXPECT_EQ(cost_of_tuning(runs).basis, TuningBasis::kRandomCount);
  runs.charges[0].ended_early = true;
  const auto cost = cost_of_tuning(runs);
  EXPECT_EQ(cost.basis, TuningBasis::kComposition);
  EXPECT_THAT(cost.statement, HasSubstr("ended early"));
}

TEST(TuningCost, OneRunCostsWhatItCosts) {
  const auto cost = cost_of_tuning(tuned({charge(options_with(1.1), 500)}));
  EXPECT_EQ(cost.epsilon, epsilon_of({PoissonGaussianEvent(0.01, 1.1), 500}));
  EXPECT_EQ(cost.delta, 1e-5);
  EXPECT_EQ(cost.adjacency, "zero-out");
}

TEST(TuningCost, EqualRunsAreOneLongRun) {
  const auto one = charge(options_with(1.1), 500);
  const auto cost = cost_of_tuning(tuned({one, one, one, charge(options_with(1.1), 7)}));
  EXPECT_EQ(cost.epsilon, epsilon_of({PoissonGaussianEvent(0.01, 1.1), 1507}));
  EXPECT_EQ(cost.basis, TuningBasis::kComposition);
}

// Without sampling k runs of T steps are one Gaussian: σ over √(kT).
TEST(TuningCost, AgreesWithTheClosedFormOfGaussians) {
  auto options = options_with(100, Sampling::kNone);
  options.batch_size = options.dataset_size;
  const auto one = charge(options, 16);
  const auto cost = cost_of_tuning(tuned({one, one, one, one}));
  const double together = epsilon_of({GaussianEvent(100 / 8.0), 1});
  EXPECT_NEAR(cost.epsilon, together, 2e-3 * together);
}

TEST(TuningCost, DifferentRunsCompose) {
  const auto cost = cost_of_tuning(
      tuned({charge(options_with(1.1), 500), charge(options_with(2), 300), runs::RunCharge{}}));
  Composition both;
  both.add(PoissonGaussianEvent(0.01, 1.1), 500).add(PoissonGaussianEvent(0.01, 2), 300);
  EXPECT_EQ(cost.epsilon, epsilon_of(both));
}

TEST(TuningCost, TheSmallestDeltaCounts) {
  const auto cost = cost_of_tuning(
      tuned({charge(options_with(1.1), 500, 1e-6), charge(options_with(1.1), 500, 1e-4)}));
  EXPECT_EQ(cost.delta, 1e-6);
}

TEST(TuningCost, DifferentRelationsArePricedUnderReplaceOne) {
  const auto cost = cost_of_tuning(
      tuned({charge(options_with(2), 500), charge(options_with(2, Sampling::kFixedSize), 500)}));
  Composition both;
  both.add(accounting::FixedSizeGaussianEvent(0.01, 2), 500)
      .add(PoissonGaussianEvent(0.01, 2), 500);
  EXPECT_EQ(cost.adjacency, "replace-one");
  EXPECT_NEAR(cost.epsilon, epsilon_of(both, Adjacency::kReplaceOne), 1e-9);
}

TEST(TuningCost, ThePriceIsThatOfTheLargestGroup) {
  auto threes = options_with(2);
  threes.group_size = 3;
  const auto cost = cost_of_tuning(tuned({charge(options_with(2), 500), charge(threes, 500)}));
  const Composition both{PoissonGaussianEvent(0.01, 2), 1000};
  const Neighbours neighbours(Adjacency::kZeroOut, 3);
  EXPECT_NEAR(cost.epsilon, accounting::cost_at_delta(both, neighbours, 1e-5).epsilon, 1e-3);
  EXPECT_EQ(cost.adjacency, neighbours.describe());
}

// A pass that was begun counts in full.
TEST(TuningCost, ShuffledPassesRoundUp) {
  const auto begun = charge(options_with(5, Sampling::kShuffled), 101);
  EXPECT_EQ(cost_of_tuning(tuned({begun, begun})).epsilon,
            epsilon_of({GaussianEvent(5), 4}, Adjacency::kZeroOut));
}

TEST(TuningCost, WhatHasNoBoundMakesTheChoiceUnbounded) {
  runs::RunCharge open;
  open.unbounded = "it was trained without privacy";
  const auto cost = cost_of_tuning(tuned({charge(options_with(1.1), 500), open}));
  EXPECT_TRUE(std::isinf(cost.epsilon));
  EXPECT_EQ(cost.basis, TuningBasis::kUnbounded);
  EXPECT_THAT(cost.statement, HasSubstr("run 1: it was trained without privacy"));
  auto strange = charge(options_with(1.1), 500);
  strange.ledger->plan.erase("noise_multiplier");
  EXPECT_TRUE(std::isinf(cost_of_tuning(tuned({strange})).epsilon));
}

TEST(TuningCost, NothingCostsNothing) {
  const auto cost = cost_of_tuning(tuned({runs::RunCharge{}, runs::RunCharge{}}));
  EXPECT_EQ(cost.epsilon, 0);
  EXPECT_EQ(cost.basis, TuningBasis::kNothing);
}

TunedRuns drawn(std::vector<runs::RunCharge> charges, RunsDistribution distribution, double mean) {
  auto runs = tuned(std::move(charges));
  runs.draw = RandomCount(distribution, mean);
  return runs;
}

TEST(TuningCost, ADrawnNumberIsPricedLikeItsLongestRun) {
  const auto whole = charge(options_with(2), 1000);
  const auto cost = cost_of_tuning(
      drawn({charge(options_with(2), 300), whole, whole}, RunsDistribution::kGeometric, 20));
  const accounting::RdpAccountant one({PoissonGaussianEvent(0.01, 2), 1000}, Neighbours());
  EXPECT_EQ(cost.epsilon, accounting::tuned_by_random_runs(
                              one, accounting::RandomNumberOfRuns::geometric(20), 1e-5)
                              .epsilon);
  EXPECT_EQ(cost.basis, TuningBasis::kRandomCount);
  EXPECT_EQ(cost.epsilon_of_all, epsilon_of({PoissonGaussianEvent(0.01, 2), 2300}));
}

// The statement is published with the best model, and the number that was drawn must stay secret.
TEST(TuningCost, TheStatementDoesNotRevealTheNumberThatWasDrawn) {
  const auto whole = charge(options_with(2), 1000);
  const auto of = [&](std::size_t runs) {
    return cost_of_tuning(drawn(std::vector(runs, whole), RunsDistribution::kGeometric, 20));
  };
  EXPECT_EQ(of(3).statement, of(17).statement);
  EXPECT_EQ(of(3).epsilon, of(17).epsilon);
  EXPECT_NE(of(3).epsilon_of_all, of(17).epsilon_of_all);
}

TEST(TuningCost, RepeatsOfAConfigurationAreAllPaid) {
  const auto whole = charge(options_with(2), 1000);
  auto runs = drawn({whole, whole, whole, whole}, RunsDistribution::kLogarithmic, 20);
  runs.repeats = 2;
  const accounting::RdpAccountant pair({PoissonGaussianEvent(0.01, 2), 2000}, Neighbours());
  EXPECT_EQ(cost_of_tuning(runs).epsilon,
            RandomCount(RunsDistribution::kLogarithmic, 20).cost_of_best(pair, 1e-5).epsilon);
}

PlanOptions filled(double noise) {
  PlanOptions options;
  options.dataset_size = 60'000;
  options.batch_size = 256;
  options.steps = 1'000'000;
  options.noise_multiplier = noise;
  return options;
}

// Batches that may have had too few places cost next to nothing, by the theorem and by composition.
TEST(TuningCost, FilledBatchesHardlyCostMore) {
  for (const double noise : {0.7, 0.9}) {
    auto unfilled = filled(noise);
    unfilled.fill_batches = false;
    const auto of = [](const PlanOptions& options) {
      const auto whole = charge(options, 4700);
      return cost_of_tuning(drawn({whole, whole, whole}, RunsDistribution::kGeometric, 10));
    };
    const auto with = of(filled(noise));
    const auto without = of(unfilled);
    EXPECT_EQ(with.basis, TuningBasis::kRandomCount);
    EXPECT_NEAR(with.epsilon, without.epsilon, 1e-3 * without.epsilon);
    EXPECT_NEAR(with.epsilon_of_all, without.epsilon_of_all, 1e-3 * without.epsilon_of_all);
  }
}

TEST(TuningCost, TooFewPlacesCountForEveryRunWhicheverIsFirst) {
  const double delta = 1'000'000 * kOverflow;  // once less than there were batches
  const auto few = charge(filled(2), 1, delta);
  const auto many = charge(filled(2), 1'000'000, delta);
  EXPECT_TRUE(std::isinf(cost_of_tuning(tuned({few, many})).epsilon));
  EXPECT_TRUE(std::isinf(cost_of_tuning(tuned({many, few})).epsilon));
}

// The theorem is about all runs that were drawn, of one price.
TEST(TuningCost, WithoutTheTheoremsConditionsAllRunsCount) {
  const auto whole = charge(options_with(2), 1000);
  auto early = drawn({whole, whole}, RunsDistribution::kPoisson, 20);
  early.complete = false;
  EXPECT_EQ(cost_of_tuning(early).basis, TuningBasis::kComposition);
  const auto mixed =
      drawn({whole, charge(options_with(2.1), 1000)}, RunsDistribution::kPoisson, 20);
  EXPECT_EQ(cost_of_tuning(mixed).basis, TuningBasis::kComposition);
}

RC_GTEST_PROP(TuningCost, IsNeverBelowTheBestRun, ()) {
  const auto count = *rc::gen::inRange(1, 5);
  std::vector<runs::RunCharge> charges;
  double largest = 0;
  for (int i = 0; i < count; ++i) {
    const double noise = 0.8 + 0.1 * *rc::gen::inRange(0, 20);
    const auto steps = *rc::gen::inRange(1, 1000);
    charges.push_back(charge(options_with(noise), steps));
    largest = std::max(largest, epsilon_of({PoissonGaussianEvent(0.01, noise), steps}));
  }
  auto runs = tuned(charges);
  runs.epsilon_of_best = largest;
  RC_ASSERT(cost_of_tuning(runs).epsilon >= largest);
  // More runs never cost less, up to the width of the interval.
  charges.push_back(charge(options_with(1.5), 100));
  RC_ASSERT(cost_of_tuning(tuned(charges)).epsilon >= largest * (1 - 2e-3));
}

}  // namespace
}  // namespace sotto::sweep
