// Thresholds found by the sparse vector technique, epoch by epoch: charged, kept, never for free.
#include <cmath>
#include <nlohmann/json.hpp>

#include "plan/ledger.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/lipschitz/clipless_fixture.h"

namespace sotto::lipschitz {
namespace {

class CliplessSearchTest : public CliplessFixture {
 protected:
  static constexpr double kDelta = 1e-5;

  // 3 steps an epoch.
  PlanOptions search_plan(std::int64_t steps) const {
    auto options = plan(/*noise_multiplier=*/1, steps);
    options.clipping = SearchedClipping{};
    return options;
  }
  EngineOptions with_ledger() const { return {.ledger = folder.path() / "ledger.jsonl"}; }
  std::int64_t searches_in_ledger() const {
    return static_cast<std::int64_t>(Ledger::read(folder.path() / "ledger.jsonl").events.size());
  }
  double epsilon_of(const accounting::Composition& composition) const {
    const accounting::Neighbours neighbours(accounting::Adjacency::kAddRemove);
    return accounting::cost_at_delta(composition, neighbours, kDelta).epsilon;
  }

  TemporaryFolder folder;
};

TEST_F(CliplessSearchTest, SearchesBeforeEveryEpochAndChargesEachOnce) {
  auto engine = open(search_plan(7), with_ledger());
  std::vector<double> thresholds;
  while (auto batch = engine.next_batch()) {
    if (step(engine, *batch).stepped) thresholds.push_back(engine.max_grad_norm());
  }
  EXPECT_EQ(engine.steps(), 7);
  EXPECT_EQ(searches_in_ledger(), 3);
  EXPECT_EQ(thresholds[0], thresholds[2]);  // within an epoch
  EXPECT_EQ(thresholds[3], thresholds[5]);
  const double q = 1.0 / 3;
  auto expected = engine.plan().run_of(7).composition(engine.plan().neighbours());
  expected.add(accounting::BlackBoxEvent(std::log(1 + q * (std::exp(1.0) - 1)), 0), 3);
  EXPECT_NEAR(engine.privacy_spent(kDelta).epsilon, epsilon_of(expected), 1e-6);
}

// A search that does not cost anything would leave ε where flat clipping has it.
TEST_F(CliplessSearchTest, CostsMoreThanNoSearch) {
  auto searching = open(search_plan(3), {});
  train(searching);
  auto flat = open(plan(1, 3), {});
  train(flat);
  EXPECT_GT(searching.privacy_spent(kDelta).epsilon, flat.privacy_spent(kDelta).epsilon + 0.1);
}

TEST_F(CliplessSearchTest, NoiseFollowsTheThreshold) {
  inputs.fill_(std::nan(""));  // gradients of 0: what the optimizer sees is noise
  auto options = search_plan(300);
  auto engine = open(options);
  double square = 0;
  double drawn = 0;
  while (auto batch = engine.next_batch()) {
    const auto report = step(engine, *batch);
    if (!report.stepped) continue;
    const auto bounds = model->gradient_bounds(engine.parameters(), engine.max_grad_norm());
    double whole = 0;
    for (const double bound : bounds) whole += bound * bound;
    for (const auto& gradient : optimizer->gradients.back()) {
      square += (gradient * 20.0).square().sum().item<double>() / whole;
      drawn += static_cast<double>(gradient.numel());
    }
  }
  EXPECT_NEAR(square / drawn, 1, 6 * std::sqrt(2 / drawn));
  EXPECT_LT(engine.max_grad_norm(), 2);
}

// The search's answer is lost with the process: it is asked, and paid for, again.
TEST_F(CliplessSearchTest, InterruptedSearchIsRepeatedAndCharged) {
  std::string checkpoint;
  {
    auto engine = open(search_plan(6), with_ledger());
    while (engine.steps() < 3) step(engine, *engine.next_batch());
    checkpoint = engine.checkpoint();
    while (engine.steps() < 4) step(engine, *engine.next_batch());  // the second epoch's search
  }
  EXPECT_EQ(searches_in_ledger(), 2);
  auto engine = open(search_plan(6), with_ledger());
  engine.restore(checkpoint);
  train(engine);
  EXPECT_EQ(engine.steps(), 6);
  EXPECT_EQ(searches_in_ledger(), 3);
  EXPECT_GT(engine.privacy_spent(kDelta).epsilon, epsilon_of(engine.plan().composition(6)) + 0.01);
  EXPECT_NEAR(engine.privacy_spent(kDelta).epsilon, epsilon_of(engine.plan().composition(6, 1)),
              1e-9);
}

TEST_F(CliplessSearchTest, RepeatedSearchesLeaveFewerStepsWithinATarget) {
  auto within = with_ledger();
  const Plan planned(search_plan(12));
  within.target = accounting::EpsilonDelta{epsilon_of(planned.composition(12)) * 1.0001, kDelta};
  for (int i = 0; i < 4; ++i) {  // dies four times just after its first search
    auto engine = open(search_plan(12), within);
    auto batch = engine.next_batch();
    while (searches_in_ledger() == i) {
      step(engine, *batch);
      batch = engine.next_batch();
    }
  }
  auto engine = open(search_plan(12), within);
  train(engine);
  EXPECT_LT(engine.steps(), 12);
  EXPECT_LE(engine.privacy_spent(kDelta).epsilon, within.target->epsilon);
}

// Noise for a target leaves room for the searches: no step is lost to them.
TEST_F(CliplessSearchTest, NoiseForATargetCountsTheSearches) {
  auto options = search_plan(12);
  const accounting::EpsilonDelta target{/*epsilon=*/4, kDelta};
  options.noise_multiplier = noise_multiplier_for(target, options);
  EngineOptions within;
  within.target = target;
  auto engine = open(options, within);
  EXPECT_EQ(engine.step_limit(), 12);
  train(engine);
  EXPECT_LE(engine.privacy_spent(kDelta).epsilon, 4);
}

// A run that had no ledger gets one: what it searched before is in it.
TEST_F(CliplessSearchTest, LedgerThatComesLaterHoldsEarlierSearches) {
  auto without = open(search_plan(9), {});
  while (without.steps() < 6) step(without, *without.next_batch());
  auto engine = open(search_plan(9), with_ledger());
  engine.restore(without.checkpoint());
  EXPECT_EQ(searches_in_ledger(), 2);
  train(engine);
  EXPECT_EQ(searches_in_ledger(), 3);
}

TEST_F(CliplessSearchTest, CheckpointThatForgotItsSearchesIsRefused) {
  auto engine = open(search_plan(3), {});
  auto checkpoint = nlohmann::json::parse(engine.checkpoint());
  checkpoint.erase("searches");
  EXPECT_THROW(engine.restore(checkpoint.dump()), InvalidArgument);
}

TEST_F(CliplessSearchTest, RefusesWhatHasNoAnalysis) {
  auto everyone = search_plan(3);
  everyone.sampling = accounting::Sampling::kNone;
  everyone.batch_size = everyone.dataset_size;
  EXPECT_THROW(Plan{everyone}, NoValidAnalysis);
  auto clipped = search_plan(3);
  clipped.bounded.reset();
  EXPECT_THROW(Plan{clipped}, InvalidArgument);
  auto free = search_plan(3);
  free.clipping = SearchedClipping{.epsilon = 0};
  EXPECT_THROW(Plan{free}, InvalidArgument);
}

}  // namespace
}  // namespace sotto::lipschitz
