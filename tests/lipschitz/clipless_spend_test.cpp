// What clipless training costs, and that no restart forgets it.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "plan/ledger.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/lipschitz/clipless_fixture.h"

namespace sotto::lipschitz {
namespace {

class CliplessSpendTest : public CliplessFixture {
 protected:
  std::filesystem::path ledger() const { return folder / "ledger.jsonl"; }

  void make_steps(PrivacyEngine& engine, std::int64_t count) {
    while (engine.steps() < count) {
      const auto batch = engine.next_batch();
      ASSERT_TRUE(batch);
      step(engine, *batch);
    }
  }

  static double epsilon_of(const PlanOptions& options) {
    const Plan plan(options);
    return accounting::cost_at_delta(plan.composition(plan.steps()), plan.neighbours(), 1e-5)
        .epsilon;
  }

  TemporaryFolder folder;
};

TEST_F(CliplessSpendTest, IsThatOfTheSameGaussianMechanism) {
  auto engine = open(plan(1, 10), EngineOptions());
  train(engine);
  const accounting::Composition run(accounting::PoissonGaussianEvent(1.0 / 3, 1), 10);
  EXPECT_EQ(engine.privacy_spent(1e-5).epsilon,
            accounting::cost_at_delta(run, accounting::Neighbours(), 1e-5).epsilon);
}

// Never: a resume that resets the budget.
TEST_F(CliplessSpendTest, IsKeptByTheLedger) {
  std::string checkpoint;
  {
    auto engine = open(plan(1, 12), {.ledger = ledger()});
    make_steps(engine, 4);
    checkpoint = engine.checkpoint();
    make_steps(engine, 7);  // executed after the checkpoint, then the process dies
  }
  auto engine = open(plan(1, 12), {.ledger = ledger()});
  EXPECT_GE(engine.steps(), 7);
  engine.restore(checkpoint);
  EXPECT_GE(engine.steps(), 7);
  train(engine);
  EXPECT_EQ(engine.steps(), 12);
  EXPECT_EQ(Ledger::read(ledger()).steps_charged, 12);
}

TEST_F(CliplessSpendTest, ALedgerOfOtherBoundsIsNotContinued) {
  { auto engine = open(plan(1, 5), {.ledger = ledger()}); }
  EXPECT_NO_THROW(open(plan(1, 9), {.ledger = ledger()}));
  EXPECT_THROW(open(plan(1, 5, /*loss_gradient=*/0.5), {.ledger = ledger()}), InvalidArgument);
  auto layered = plan(1, 5);
  layered.bounded->strategy = NoiseStrategy::kPerLayer;
  EXPECT_THROW(open(layered, {.ledger = ledger()}), InvalidArgument);
  use(make_network("lip-mlp", {{6}, 2, /*input_bound=*/3}));
  EXPECT_THROW(open(plan(1, 5), {.ledger = ledger()}), InvalidArgument);
}

TEST_F(CliplessSpendTest, ARefusedEngineLeavesNoLedger) {
  auto options = plan(1, 5);
  options.bounded->bounds[0] *= 0.9;
  EXPECT_THROW(open(options, {.ledger = ledger()}), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(ledger()));
}

// A record that takes another value moves the sum twice as far as one that goes.
TEST_F(CliplessSpendTest, ReplacingARecordCostsAsMuchAsHalfTheNoise) {
  auto options = full_plan(4, 10);
  options.adjacency = accounting::Adjacency::kAddRemove;
  const double one = epsilon_of(options);
  options.adjacency = accounting::Adjacency::kReplaceOne;
  const double both = epsilon_of(options);
  options.adjacency = accounting::Adjacency::kAddRemove;
  options.noise_multiplier = 2;
  EXPECT_GT(both, 1.5 * one);
  EXPECT_NEAR(both, epsilon_of(options), 1e-3 * both);
}

// Weights that were loaded from a checkpoint need not obey the constraint.
TEST_F(CliplessSpendTest, RestoredWeightsAreProjectedBeforeTheyAreUsed) {
  auto engine = open(plan(1, 12), {.insecure_seed = 3});
  make_steps(engine, 2);
  const auto checkpoint = engine.checkpoint();
  {
    torch::NoGradGuard no_gradients;
    for (auto& weight : network->parameters()) weight.mul_(10);
  }
  engine.restore(checkpoint);
  ASSERT_TRUE(engine.next_batch());
  for (const auto& weight : network->parameters()) {
    EXPECT_LE(torch::linalg_svdvals(weight).max().item<double>(), 1 + 1e-5);
  }
}

}  // namespace
}  // namespace sotto::lipschitz
