// Never: a seeded (reproducible) run that still claims privacy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "plan/ledger.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/engine/simple_trainer.h"

namespace sotto {
namespace {

using testing::HasSubstr;

ObservedRun train_with_seed(const Task& task, const PlanOptions& plan, std::int64_t parts) {
  return observe_engine(task, plan, {.max_physical_batch_size = parts, .insecure_seed = 9});
}

// Whoever can repeat a run can subtract its noise: then nothing may be claimed.
std::string why_claim_is_false(const Trainer& trainer) {
  const Task task;
  const auto plan = observed_plan(task, 20, 1, 4);
  const auto first = trainer(task, plan, 0);
  const auto second = trainer(task, plan, 0);
  const bool repeats = torch::equal(first.steps.at(0).update, second.steps.at(0).update);
  if (repeats && std::isfinite(first.epsilon)) return "repeats, and claims a finite ε";
  return "";
}

TEST(NeverSeed, TheEngineClaimsNothingForASeededRun) {
  EXPECT_EQ(why_claim_is_false(train_with_engine), "");
  EXPECT_EQ(why_claim_is_false(train_with_seed), "");
  const Task task;
  EXPECT_TRUE(std::isinf(train_with_seed(task, observed_plan(task, 20, 1, 4), 0).epsilon));
  EXPECT_FALSE(std::isinf(train_with_engine(task, observed_plan(task, 20, 1, 4)).epsilon));
}

TEST(NeverSeed, SeededAndClaimingPrivacy) {
  SimpleTrainer bug;
  bug.noise = [](const Task& task, std::int64_t step) {
    auto generator = at::detail::createCPUGenerator(1337 + step);
    return torch::randn(task.start.sizes(), generator);
  };
  EXPECT_THAT(why_claim_is_false(bug), HasSubstr("repeats"));
}

class NeverSeedTest : public testing::Test {
 protected:
  PrivacyEngine engine(std::optional<std::uint64_t> seed, const std::filesystem::path& ledger) {
    return make_private(*task.model, optimizer, observed_plan(task, 20, 1, 10),
                        {.ledger = ledger, .insecure_seed = seed});
  }

  TemporaryFolder folder;
  Task task;
  torch::optim::SGD optimizer{task.model->parameters(), 1.0};
};

TEST_F(NeverSeedTest, EverythingItLeavesBehindSaysSo) {
  const auto path = folder / "seeded.jsonl";
  auto seeded = engine(9, path);
  EXPECT_FALSE(seeded.is_private());
  EXPECT_EQ(nlohmann::json::parse(seeded.checkpoint()).at("private"), false);
  EXPECT_TRUE(Ledger::read(path).plan.contains("not_private"));
}

TEST_F(NeverSeedTest, SeededSpendContinuedAsPrivate) {
  const auto path = folder / "seeded.jsonl";
  std::string checkpoint;
  {
    auto seeded = engine(9, path);
    seeded.step(task.losses(seeded.next_batch()->indices));
    checkpoint = seeded.checkpoint();
  }
  EXPECT_THROW(engine({}, path), InvalidArgument);
  auto fresh = engine({}, folder / "private.jsonl");
  EXPECT_THROW(fresh.restore(checkpoint), InvalidArgument);
  auto without = engine({}, {});
  EXPECT_THROW(without.restore(checkpoint), InvalidArgument);
}

}  // namespace
}  // namespace sotto
