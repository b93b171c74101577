// Never: a checkpoint that forgets spend, σ, C or sampler state; a resume that resets the budget.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <optional>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/engine/simple_trainer.h"

namespace sotto {
namespace {

using nlohmann::json;

// Five steps, a checkpoint, three more steps, and the process dies.
class NeverResume : public testing::Test {
 protected:
  static constexpr std::int64_t kDone = 8;
  static constexpr std::int64_t kPlanned = 30;

  NeverResume() {
    auto engine = open(plan);
    advance(engine, 5);
    checkpoint = json::parse(engine.checkpoint());
    old_ledger = read_file(path);
    advance(engine, 3);
  }

  PrivacyEngine open(const PlanOptions& options) {
    return make_private(*task.model, optimizer, options, {.ledger = path});
  }

  // `count` batches at least.
  void advance(PrivacyEngine& engine, std::int64_t count) const {
    const auto end = engine.steps() + count;
    while (engine.steps() < end) {
      const auto batch = engine.next_batch();
      if (!batch) return;
      engine.step(task.losses(batch->indices));
    }
  }

  // The spend from which a resumed run goes on; nothing if it is refused.
  std::optional<std::int64_t> resumed(const json& from, const PlanOptions& options) {
    try {
      auto engine = open(options);
      engine.restore(from.dump());
      return engine.steps();
    } catch (const InvalidArgument&) {
      return std::nullopt;
    }
  }

  // Forgetting nothing, or refusing.
  bool keeps_the_spend(const json& from) {
    const auto steps = resumed(from, plan);
    return !steps || *steps >= kDone;
  }

  PlanOptions adaptive() const {
    auto options = observed_plan(task, 20, 1, kPlanned);
    options.max_grad_norm = 100;  // above every norm, so that it surely changes
    options.clipping = AdaptiveClipping{.count_noise = 1};
    return options;
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "ledger.jsonl";
  Task task;
  torch::optim::SGD optimizer{task.model->parameters(), 0.1};
  PlanOptions plan = adaptive();
  json checkpoint;
  std::string old_ledger;
};

TEST_F(NeverResume, TheEngineGoesOnFromAllThatWasExecuted) {
  EXPECT_EQ(resumed(checkpoint, plan), kDone);
  auto engine = open(plan);
  engine.restore(checkpoint.dump());
  advance(engine, kPlanned);
  EXPECT_EQ(engine.steps(), kPlanned);
  EXPECT_EQ(Ledger::read(path).steps_charged, kPlanned);
}

TEST_F(NeverResume, CheckpointThatForgotSomething) {
  for (const auto& item : checkpoint.items()) {
    json without = checkpoint;
    without.erase(item.key());
    // Older files do not have it: then the worse is taken for true.
    const bool may_lack = item.key() == "libtorch_gradients";
    EXPECT_EQ(resumed(without, plan).has_value(), may_lack) << item.key();
    json empty = checkpoint;
    empty[item.key()] = nullptr;
    EXPECT_EQ(resumed(empty, plan), std::nullopt) << item.key();
  }
}

TEST_F(NeverResume, CheckpointWhoseSpendIsReset) {
  json reset = checkpoint;
  reset["steps"] = 0;
  EXPECT_TRUE(keeps_the_spend(reset));
  reset["ledger_hash"] = "";
  EXPECT_TRUE(keeps_the_spend(reset));
  reset["steps"] = -100;
  EXPECT_TRUE(keeps_the_spend(reset));
}

TEST_F(NeverResume, CheckpointOfOtherNoiseOrThreshold) {
  for (const auto* key : {"noise_multiplier", "max_grad_norm", "count_noise"}) {
    json other = checkpoint;
    other["plan"][key] = 3;
    EXPECT_EQ(resumed(other, plan), std::nullopt) << key;
  }
  auto options = plan;
  options.noise_multiplier = 0.9;
  EXPECT_EQ(resumed(checkpoint, options), std::nullopt);
  options = plan;
  options.max_grad_norm = 2;
  EXPECT_EQ(resumed(checkpoint, options), std::nullopt);
}

TEST_F(NeverResume, LedgerDeleted) {
  std::filesystem::remove(path);
  EXPECT_EQ(resumed(checkpoint, plan), std::nullopt);
}

TEST_F(NeverResume, LedgerOfAnotherRun) {
  std::filesystem::remove(path);
  {
    auto engine = open(plan);
    advance(engine, 6);
  }
  EXPECT_EQ(resumed(checkpoint, plan), std::nullopt);
}

TEST_F(NeverResume, LedgerPutBack) {
  json later;
  {
    auto engine = open(plan);
    engine.restore(checkpoint.dump());
    advance(engine, 1);
    later = json::parse(engine.checkpoint());
  }
  std::ofstream(path, std::ios::binary | std::ios::trunc) << old_ledger;
  EXPECT_EQ(resumed(later, plan), std::nullopt);
}

TEST_F(NeverResume, WithoutItsLedger) {
  auto engine = make_private(*task.model, optimizer, plan);
  EXPECT_THROW(engine.restore(checkpoint.dump()), InvalidArgument);
}

// C of adaptive clipping is the checkpoint's, not the plan's.
TEST_F(NeverResume, AdaptedThresholdForgotten) {
  auto engine = open(plan);
  EXPECT_EQ(engine.max_grad_norm(), plan.max_grad_norm);
  engine.restore(checkpoint.dump());
  EXPECT_EQ(engine.max_grad_norm(), checkpoint.at("max_grad_norm").get<double>());
  EXPECT_NE(engine.max_grad_norm(), plan.max_grad_norm);
}

// The order of a shuffled pass is gone: records could come twice. The pass counts as done.
TEST_F(NeverResume, OrderOfAPassForgotten) {
  path = folder / "shuffled.jsonl";
  auto shuffled = observed_plan(task, 20, 1, kPlanned);  // three steps a pass
  shuffled.sampling = accounting::Sampling::kShuffled;
  {
    auto engine = open(shuffled);
    advance(engine, 4);
  }
  EXPECT_EQ(open(shuffled).steps(), 6);
}

TEST_F(NeverResume, NoiseOfTheFirstStepsAgain) {
  path = folder / "noise.jsonl";
  const auto first = observed_plan(task, 30, 1, 3);
  auto longer = first;
  longer.steps = 6;
  const auto before = observed_noise(task, first, observe_engine(task, first, {.ledger = path}));
  const auto after = observed_noise(task, longer, observe_engine(task, longer, {.ledger = path}));
  EXPECT_EQ(before.size(0) + after.size(0), 6);
  const auto correlations = torch::corrcoef(torch::cat({before, after}));
  EXPECT_LT((correlations - torch::eye(6, torch::kDouble)).abs().max().item<double>(), 0.5);
}

}  // namespace
}  // namespace sotto
