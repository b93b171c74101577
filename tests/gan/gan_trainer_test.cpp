// Whole runs on tiny data.
#include "sotto/gan/gan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "core/atomic_file.h"
#include "gan/gan_evaluation.h"
#include "plan/ledger.h"
#include "settings/config_json.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/messages.h"
#include "tests/gan/small_data.h"
#include "tests/train/covered_metrics.h"

namespace sotto::gan {
namespace {

using data::message_of;
using testing::HasSubstr;
using testing::Not;

class StopAfter : public runs::RunObserver {
 public:
  explicit StopAfter(int asked) : left_(asked) {}
  bool stop_requested() override { return left_-- <= 0; }

 private:
  int left_;
};

class GanTrainerTest : public testing::Test {
 protected:
  GanTrainerTest() { write_small_images(folder / "data", 400, 60); }

  GanConfig config(Method method) const {
    GanConfig c;
    c.data.dataset = "idx:" + (folder / "data").string();
    c.data.classes = 2;
    c.method = method;
    c.width = 4;
    c.latent_size = 4;
    c.batch_size = 40;
    c.steps = 24;
    c.critic_steps = 3;
    c.fit_steps = 150;
    c.fit_batch = 40;
    c.target_epsilon = 8;
    c.seed = 1;
    return c;
  }
  GanConfig advanced() const {
    write_small_images(folder / "public", 100, 10);
    auto c = config(Method::kAdvanced);
    c.public_data.dataset = "idx:" + (folder / "public").string();
    c.groups = 3;
    c.warm_start_steps = 2;
    return c;
  }
  std::string text(const std::string& file) const { return read_file(folder / file); }

  TemporaryFolder folder;
  runs::RunObserver quiet;
};

TEST_F(GanTrainerTest, EveryMethodKeepsItsBudget) {
  for (const auto method : {Method::kMerf, Method::kBasic, Method::kAdvanced}) {
    const std::string run(to_string(method));
    const auto c = method == Method::kAdvanced ? advanced() : config(method);
    const auto result = train_generator(c, folder / run, quiet);
    ASSERT_TRUE(result.spent) << run;
    EXPECT_TRUE(result.is_private);
    EXPECT_LE(result.spent->epsilon, 8) << run;
    EXPECT_GT(result.spent->epsilon, 7.5) << run;
    EXPECT_TRUE(std::filesystem::exists(folder / run / "generator.pt"));
    const auto contents = Ledger::read(folder / run / "ledger.jsonl");
    EXPECT_EQ(contents.steps_charged, method == Method::kMerf ? 1 : 24);
    EXPECT_EQ(contents.events.size(), method == Method::kMerf ? 0U : 1U);  // label counts
    EXPECT_THAT(result.statement, HasSubstr("generator"));
    EXPECT_THAT(text(run + "/privacy.md"), HasSubstr("noise"));
  }
}

TEST_F(GanTrainerTest, StopsBeforeTheBudgetIsExceeded) {
  auto c = config(Method::kBasic);
  c.noise_multiplier.reset();
  c.steps = 24;
  const auto result = train_generator(c, folder / "run", quiet);
  EXPECT_EQ(result.steps, 24);
  EXPECT_EQ(result.rounds, 8);
}

TEST_F(GanTrainerTest, AnInterruptedRunGoesOnWithItsSpend) {
  const auto c = config(Method::kBasic);
  StopAfter soon(3);  // asked once a round
  EXPECT_THROW(train_generator(c, folder / "run", soon), runs::Interrupted);
  const auto charged = Ledger::read(folder / "run" / "ledger.jsonl").steps_charged;
  EXPECT_GT(charged, 0);
  EXPECT_LT(charged, 24);
  const auto result = resume_generator(folder / "run", quiet);
  EXPECT_EQ(result.steps, 24);
  EXPECT_LE(result.spent->epsilon, 8);
  EXPECT_EQ(Ledger::read(folder / "run" / "ledger.jsonl").events.size(), 1U);
}

TEST_F(GanTrainerTest, AnInterruptedRunIsPublishedAsItIs) {
  StopAfter soon(3);
  EXPECT_THROW(train_generator(config(Method::kBasic), folder / "run", soon), runs::Interrupted);
  const auto charged = Ledger::read(folder / "run" / "ledger.jsonl").steps_charged;
  const auto result = finish_generator(folder / "run", quiet);
  EXPECT_EQ(result.steps, charged);
  EXPECT_EQ(Ledger::read(folder / "run" / "ledger.jsonl").steps_charged, charged);
  EXPECT_THAT(result.statement, HasSubstr("ended after " + std::to_string(charged) + " of 24"));
  EXPECT_TRUE(std::filesystem::exists(folder / "run" / "generator.pt"));
  EXPECT_THROW(resume_generator(folder / "run", quiet), InvalidArgument);
  StopAfter fitting(3);
  EXPECT_THROW(train_generator(config(Method::kMerf), folder / "merf", fitting), runs::Interrupted);
  EXPECT_THROW(finish_generator(folder / "merf", quiet), InvalidArgument);  // it costs no more
}

TEST_F(GanTrainerTest, AnEmbeddingIsReleasedOnce) {
  StopAfter soon(3);
  EXPECT_THROW(train_generator(config(Method::kMerf), folder / "run", soon), runs::Interrupted);
  EXPECT_FALSE(std::filesystem::exists(folder / "run" / "generator.pt"));
  const auto embedding = text("run/embedding.pt");
  resume_generator(folder / "run", quiet);
  EXPECT_EQ(text("run/embedding.pt"), embedding);
  EXPECT_EQ(Ledger::read(folder / "run" / "ledger.jsonl").steps_charged, 1);
  std::filesystem::remove(folder / "run" / "embedding.pt");
  EXPECT_THROW(resume_generator(folder / "run", quiet), std::runtime_error);  // not a second time
}

TEST_F(GanTrainerTest, MerfLearnsTheClasses) {
  const auto c = config(Method::kMerf);
  train_generator(c, folder / "run", quiet);
  const auto results =
      evaluate_generator(folder / "run", {.samples = 400, .epochs = 8, .show_private = true});
  EXPECT_FALSE(results.covered.real_accuracy);
  EXPECT_FALSE(results.covered.nearest_train);
  EXPECT_GT(results.covered.synthetic_accuracy, 0.9);  // the test records are public
  ASSERT_TRUE(results.exact);
  const auto& result = *results.exact;
  EXPECT_GT(result.real_accuracy, 0.95);
  EXPECT_GT(result.synthetic_accuracy, 0.9);
  EXPECT_GT(result.inception_score, 1);
  EXPECT_LE(result.inception_score, 2.001);
  EXPECT_GE(result.js_score, 0);
  EXPECT_LE(result.js_score, 1);
  EXPECT_LE(result.epsilon, 8);
  EXPECT_LE(result.s_plus_test, 0);
  EXPECT_GE(result.s_plus_generated, 0);
}

TEST_F(GanTrainerTest, CriticsAreEvaluatedToo) {
  train_generator(config(Method::kBasic), folder / "run", quiet);
  const auto results = evaluate_generator(folder / "run", {.samples = 200, .epochs = 1});
  EXPECT_FALSE(results.exact);
  const auto& result = results.covered;
  EXPECT_GE(result.s_plus_test, -1);
  EXPECT_LE(result.s_plus_noise, 1);
}

TEST_F(GanTrainerTest, SaysWhatIsNotPrivate) {
  auto plain = config(Method::kBasic);
  plain.disable_dp = true;
  EXPECT_THAT(train_generator(plain, folder / "plain", quiet).statement, HasSubstr("NOT PRIVATE"));
  auto seeded = config(Method::kMerf);
  seeded.insecure_seed = 5;
  EXPECT_THAT(train_generator(seeded, folder / "seeded", quiet).statement,
              HasSubstr("NOT PRIVATE"));
  auto pretrained = config(Method::kBasic);
  pretrained.pretrain_epochs = 1;
  EXPECT_THAT(message_of([&] { train_generator(pretrained, folder / "no", quiet); }),
              HasSubstr("pretraining_is_not_private"));
  EXPECT_FALSE(std::filesystem::exists(folder / "no"));
  pretrained.pretraining_is_not_private = true;
  pretrained.networks = Networks::kAutoencoder;
  const auto result = train_generator(pretrained, folder / "pretrained", quiet);
  EXPECT_THAT(result.statement, HasSubstr("NOT PRIVATE"));
  EXPECT_TRUE(std::isinf(result.spent->epsilon));
  EXPECT_THAT(text("pretrained/metrics.jsonl"), HasSubstr(R"("epsilon":"Infinity")"));
}

TEST_F(GanTrainerTest, PretrainingOnPublicDataIsPrivate) {
  auto c = advanced();
  c.pretrain_epochs = 1;
  c.groups = 2;
  const auto result = train_generator(c, folder / "run", quiet);
  EXPECT_TRUE(result.is_private);
  EXPECT_THAT(text("run/privacy.md"), HasSubstr("called public"));
}

TEST_F(GanTrainerTest, RefusesWhatCannotBeAndLeavesNothing) {
  auto groups = advanced();
  groups.groups = 99;
  EXPECT_THAT(message_of([&] { train_generator(groups, folder / "a", quiet); }),
              HasSubstr("groups 99: the critic has"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
  auto other = advanced();
  write_small_images(folder / "wide", 50, 5, 12);
  other.public_data.dataset = "idx:" + (folder / "wide").string();
  EXPECT_THAT(message_of([&] { train_generator(other, folder / "b", quiet); }),
              HasSubstr("its samples have shape [1, 12, 12]"));
  EXPECT_FALSE(std::filesystem::exists(folder / "b"));
  auto large = config(Method::kBasic);
  large.batch_size = 4000;
  EXPECT_THAT(message_of([&] { train_generator(large, folder / "c", quiet); }),
              HasSubstr("batch size 4000 exceeds"));
  auto same = advanced();
  same.public_data = same.data;
  EXPECT_THAT(message_of([&] { train_generator(same, folder / "e", quiet); }),
              HasSubstr("the private data themselves"));
  auto adaptive = config(Method::kBasic);
  adaptive.adaptive_critic_steps = true;
  EXPECT_THAT(message_of([&] { train_generator(adaptive, folder / "d", quiet); }),
              HasSubstr("critic_loss logistic"));
}

// Nothing older than the step beside it.
TEST_F(GanTrainerTest, EveryEpsilonInTheMetricsCoversItsStep) {
  const auto c = config(Method::kBasic);
  train_generator(c, folder / "run", quiet);
  train::expect_metrics_are_covered(folder / "run", c.delta, 8);
}

TEST_F(GanTrainerTest, TheCriticsLossesAreWrittenWhereAskedFor) {
  auto c = config(Method::kBasic);
  train_generator(c, folder / "quiet", quiet);
  EXPECT_THAT(text("quiet/metrics.jsonl"), Not(HasSubstr("critic_loss")));
  EXPECT_FALSE(std::filesystem::exists(folder / "quiet" / "metrics.private.jsonl"));
  c.show_private = true;
  train_generator(c, folder / "shown", quiet);
  EXPECT_THAT(text("shown/metrics.jsonl"), Not(HasSubstr("critic_loss")));
  EXPECT_THAT(text("shown/metrics.private.jsonl"), HasSubstr("critic_loss"));
  EXPECT_THAT(text("shown/privacy.md"), HasSubstr("critic's losses were shown"));
}

// The generator's turn comes after a fixed number of steps, whoever was drawn in them.
TEST_F(GanTrainerTest, EmptyBatchesCountAsSteps) {
  auto c = config(Method::kBasic);
  c.batch_size = 1;
  c.steps = 30;
  const auto result = train_generator(c, folder / "run", quiet);
  EXPECT_EQ(result.steps, 30);
  EXPECT_EQ(result.rounds, 10);
}

// Nothing that was paid for is removed, even if the run then fails.
TEST_F(GanTrainerTest, APaidLedgerStays) {
  StopAfter soon(0);
  EXPECT_THROW(train_generator(config(Method::kMerf), folder / "run", soon), runs::Interrupted);
  EXPECT_EQ(Ledger::read(folder / "run" / "ledger.jsonl").steps_charged, 1);
}

TEST_F(GanTrainerTest, ConfigurationsComeBack) {
  auto c = advanced();
  c.networks = Networks::kDcgan;
  c.latent = Latent::kUniform;
  c.noise_multiplier = 2;
  c.data.class_names = {"a", "b"};
  c.data.held_out_epsilon = 0.5;
  EXPECT_EQ(json_of(settings::gan_config_from_json(json_of(c))), json_of(c));
  auto json = json_of(c);
  json.erase("steps");
  EXPECT_THROW(settings::gan_config_from_json(json), InvalidArgument);
}

}  // namespace
}  // namespace sotto::gan
