#include "sotto/train/trainer.h"

#include <gtest/gtest.h>
#include <torch/torch.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "runs/run_folder.h"
#include "runs/run_record.h"
#include "settings/config_json.h"
#include "settings/model_names.h"
#include "sotto/core/error.h"
#include "sotto/lipschitz/lipschitz_model.h"
#include "sotto/models/models.h"
#include "sotto/train/model_file.h"
#include "tests/core/temporary_folder.h"
#include "tests/train/covered_metrics.h"
#include "train/divergence.h"
#include "train/frozen_features.h"
#include "train/tensor_data.h"

namespace sotto::train {
namespace {

class TrainerTest : public testing::Test {
 protected:
  static TrainingConfig quick() {
    TrainingConfig config;
    config.dataset = "digits";
    config.model = "softmax";
    config.batch_size = 500;
    config.epochs = 1;
    return config;
  }
  std::filesystem::path output(const std::string& name = "run") const {
    return folder.path() / name;
  }
  nlohmann::json privacy(const std::string& name = "run") const {
    return nlohmann::json::parse(read_file(output(name) / "privacy.json"));
  }

  TemporaryFolder folder;
  TrainingObserver observer;
};

TEST_F(TrainerTest, LeavesModelProofAndMetrics) {
  const auto result = train(quick(), output(), observer);
  EXPECT_EQ(result.steps, 20);
  EXPECT_TRUE(result.is_private);
  EXPECT_LE(result.spent->epsilon, 3);
  EXPECT_GT(result.test->accuracy, 0.3);
  EXPECT_EQ(privacy().at("epsilon").get<double>(), result.spent->epsilon);
  EXPECT_EQ(privacy().at("steps"), 20);
  const auto ledger = Ledger::read(output() / "ledger.jsonl");
  EXPECT_EQ(ledger.steps_charged, 20);
  EXPECT_EQ(privacy().at("ledger_hash"), ledger.head_hash());
  auto loaded = load_model(output() / "model.pt");
  EXPECT_EQ(loaded.card.classes.size(), 10U);
  const auto metrics = nlohmann::json::parse(read_file(output() / "metrics.jsonl"));
  EXPECT_EQ(metrics.at("step"), 20);
  EXPECT_TRUE(metrics.contains("test_accuracy"));  // the test records are public
  EXPECT_FALSE(metrics.contains("train_loss"));
}

// What earlier versions drew without places is known by this sentence of theirs.
TEST_F(TrainerTest, GradientsOfLibTorchHaveTheirAssumptionAndPlaces) {
  auto config = quick();
  config.gradients = GradientPath::kGraph;
  train(config, output(), observer);
  const auto run = runs::RunRecord::read(output());
  const auto arithmetic = run.privacy().at("arithmetic").get<std::string>();
  EXPECT_NE(arithmetic.find("what LibTorch computes"), std::string::npos);
  EXPECT_TRUE(run.plan()->places());
  EXPECT_TRUE(run.contradictions().empty());
  train(quick(), output("fused"), observer);
  EXPECT_FALSE(runs::RunRecord::read(output("fused")).plan()->places());
}

TEST_F(TrainerTest, EveryEpsilonInTheMetricsCoversItsStep) {
  auto config = quick();
  config.epochs = 3;
  train(config, output(), observer);
  expect_metrics_are_covered(output(), config.delta, 3);
}

TEST_F(TrainerTest, WithoutPrivacyItSaysSo) {
  auto config = quick();
  config.disable_dp = true;
  config.learning_rate = 0.1;
  const auto result = train(config, output(), observer);
  EXPECT_FALSE(result.is_private);
  EXPECT_FALSE(result.spent.has_value());
  EXPECT_NE(result.statement.find("NOT PRIVATE"), std::string::npos);
  EXPECT_EQ(privacy().at("private"), false);
}

// Never: a seeded run that still claims privacy.
TEST_F(TrainerTest, SeededRunsRepeatAndSaySo) {
  auto config = quick();
  config.insecure_seed = 4;
  const auto first = train(config, output("a"), observer);
  const auto second = train(config, output("b"), observer);
  EXPECT_EQ(first.test->loss, second.test->loss);
  EXPECT_NE(first.statement.find("NOT PRIVATE"), std::string::npos);
  EXPECT_EQ(privacy("a").at("epsilon"), "Infinity");
  config = quick();
  config.seed = 4;
  EXPECT_NE(train(config, output("c"), observer).test->loss,
            train(config, output("d"), observer).test->loss);
}

TEST_F(TrainerTest, PhysicalBatchesDoNotChangeTheAccounting) {
  auto config = quick();
  config.noise_multiplier = 1;
  const auto whole = train(config, output("a"), observer);
  config.max_physical_batch_size = 64;
  const auto parts = train(config, output("b"), observer);
  EXPECT_EQ(whole.spent->epsilon, parts.spent->epsilon);
  EXPECT_EQ(whole.steps, parts.steps);
  auto plan = privacy("a").at("plan");
  EXPECT_EQ(plan, privacy("b").at("plan"));
}

TEST_F(TrainerTest, FinishedRunsGiveTheirResultAgain) {
  const auto result = train(quick(), output(), observer);
  const auto again = resume(output(), observer);
  EXPECT_EQ(again.steps, result.steps);
  EXPECT_EQ(again.test->accuracy, result.test->accuracy);
  EXPECT_EQ(Ledger::read(output() / "ledger.jsonl").steps_charged, 20);
}

TEST_F(TrainerTest, InterruptedRunsGoOn) {
  struct Stop : TrainingObserver {
    void on_epoch(const EpochReport& report) override {
      if (report.epoch == 1) throw std::runtime_error("interrupted");
    }
  } stop;
  auto config = quick();
  config.epochs = 3;
  EXPECT_THROW(train(config, output(), stop), std::runtime_error);
  const auto spent = Ledger::read(output() / "ledger.jsonl").steps_charged;
  EXPECT_EQ(spent, 20);
  const auto result = resume(output(), observer);
  EXPECT_EQ(result.steps, 60);
  EXPECT_LE(result.spent->epsilon, 3);
}

TEST_F(TrainerTest, DamagedRunsAreRefused) {
  train(quick(), output(), observer);
  const auto ledger = read_file(output() / "ledger.jsonl");
  auto damaged = ledger;
  damaged[damaged.size() / 2] ^= 1;
  std::ofstream(output() / "ledger.jsonl", std::ios::binary) << damaged;
  EXPECT_THROW(resume(output(), observer), InvalidArgument);
  // The ledger put back to an earlier state: the checkpoint knows better.
  const auto lines = ledger.substr(0, ledger.rfind('\n', ledger.size() - 2) + 1);
  std::ofstream(output() / "ledger.jsonl", std::ios::binary) << lines;
  EXPECT_THROW(resume(output(), observer), InvalidArgument);
  std::ofstream(output() / "ledger.jsonl", std::ios::binary) << ledger;
  std::ofstream(output() / "checkpoint.pt", std::ios::binary) << "damaged";
  EXPECT_THROW(resume(output(), observer), InvalidArgument);
  EXPECT_THROW(resume(folder.path() / "nothing", observer), InvalidArgument);
}

TEST_F(TrainerTest, AFinishedModelIsNotOverwrittenByAnUntrainedOne) {
  train(quick(), output(), observer);
  const auto model = read_file(output() / "model.pt");
  std::filesystem::remove(output() / "checkpoint.pt");
  EXPECT_THROW(resume(output(), observer), InvalidArgument);
  EXPECT_EQ(read_file(output() / "model.pt"), model);
}

TEST_F(TrainerTest, ATrainedRunWithoutItsLedgerIsLeftAsItIs) {
  train(quick(), output(), observer);
  const auto model = read_file(output() / "model.pt");
  std::filesystem::remove(output() / "ledger.jsonl");
  for (const char* lost : {"privacy.json", "checkpoint.pt"}) {
    for (const auto go_on : {resume, finish}) {
      EXPECT_THROW(go_on(output(), observer), InvalidArgument);
      EXPECT_FALSE(std::filesystem::exists(output() / "ledger.jsonl"));
    }
    std::filesystem::remove(output() / lost);
  }
  EXPECT_THROW(resume(output(), observer), InvalidArgument);
  std::ofstream(output() / "ledger.jsonl", std::ios::binary) << "{\"sotto";  // torn
  EXPECT_THROW(resume(output(), observer), InvalidArgument);
  EXPECT_EQ(read_file(output() / "model.pt"), model);
}

TEST_F(TrainerTest, KilledWhileTheLedgerWasMade) {
  struct Stop : TrainingObserver {
    bool stop_requested() override { return true; }
  } stop;
  EXPECT_THROW(train(quick(), output(), stop), runs::Interrupted);
  std::filesystem::remove(output() / "checkpoint.pt");
  std::ofstream(output() / "ledger.jsonl", std::ios::binary) << "{\"sotto";
  EXPECT_EQ(resume(output(), observer).steps, 20);
}

TEST_F(TrainerTest, EmptyBatchesAndPartsTogether) {
  std::ofstream table(folder.path() / "t.csv");
  table << "x,y\n";
  for (int i = 0; i < 40; ++i) table << i % 10 << ',' << (i % 10 > 4 ? "b" : "a") << '\n';
  table.close();
  std::ofstream(folder.path() / "schema.json")
      << R"({"label": "y", "classes": ["a", "b"], "columns": {"x": {"low": 0, "high": 10}}})";
  TrainingConfig config = quick();
  config.dataset = "csv:" + (folder.path() / "t.csv").string();
  config.csv_schema = folder.path() / "schema.json";
  config.batch_size = 2;
  config.max_physical_batch_size = 1;
  config.epochs = 20;
  config.noise_multiplier = 1;
  const auto result = train(config, output(), observer);
  EXPECT_EQ(result.steps, Ledger::read(output() / "ledger.jsonl").steps_charged);
  EXPECT_NE(read_file(output() / "privacy.md").find("held out of training"), std::string::npos);
}

TEST_F(TrainerTest, TheStatementNamesTheWeightsItStartedFrom) {
  auto config = quick();
  config.disable_dp = true;
  train(config, output("plain"), observer);
  config = quick();
  config.weights = output("plain") / "model.pt";
  EXPECT_NE(train(config, output(), observer).statement.find("does NOT cover the weights"),
            std::string::npos);
}

TEST_F(TrainerTest, NothingIsLeftBehindByABadConfiguration) {
  auto config = quick();
  config.batch_size = 100000;
  EXPECT_THROW(train(config, output(), observer), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(output()));
  config = quick();
  config.freeze = {"conv*"};
  EXPECT_THROW(train(config, output(), observer), InvalidArgument);
  config.freeze = {"*"};
  EXPECT_THROW(train(config, output(), observer), InvalidArgument);
  config = quick();
  config.model = "unknown";
  EXPECT_THROW(train(config, output(), observer), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(output()));
}

TEST_F(TrainerTest, FrozenLayersAndGivenWeights) {
  auto config = quick();
  config.model = "mlp";
  train(config, output("a"), observer);
  config.weights = output("a") / "model.pt";
  config.freeze = {"linear1*", "linear2.*"};
  train(config, output("b"), observer);
  auto before = load_model(output("a") / "model.pt");
  auto after = load_model(output("b") / "model.pt");
  EXPECT_TRUE(torch::equal(before.model->parameters()[0], after.model->parameters()[0]));
  EXPECT_FALSE(torch::equal(before.model->parameters()[4], after.model->parameters()[4]));
}

// One layer without bias: scores of a sample x are w·x and -w·x.
torch::nn::Sequential opposed_scores(double weight) {
  torch::nn::Sequential network(torch::nn::Linear(torch::nn::LinearOptions(1, 2).bias(false)));
  const torch::NoGradGuard no_gradients;
  network->parameters()[0].copy_(torch::tensor({weight, -weight}).view({2, 1}));
  return network;
}

Evaluation evaluation_of_loss(double loss) {
  Evaluation evaluation;
  evaluation.loss = loss;
  return evaluation;
}

runs::HeldOutRelease held_out(std::int64_t right, std::int64_t wrong) {
  runs::HeldOutRelease release;
  release.epsilon = 3;
  release.counts = {{right, wrong}, {right, wrong}};
  return release;
}

TEST(Divergence, PublicTestRecordsDecideWhereThereAre) {
  const TrainingConfig config;
  const auto diverged = [&](double weight, double loss) {
    return divergence_of({opposed_scores(weight), {1}, 2, evaluation_of_loss(loss)}, config)
        .has_value();
  };
  EXPECT_FALSE(diverged(1e6, 0.0)) << "sure, and right";
  EXPECT_FALSE(diverged(1, 0.7)) << "as good as guessing";
  EXPECT_TRUE(diverged(1, 0.947));
  EXPECT_TRUE(diverged(1, 6.58));
  EXPECT_TRUE(diverged(1, NAN));
}

TEST(Divergence, WithoutThemScoresAreHeldAgainstTheReleasedAccuracy) {
  const TrainingConfig config;
  const auto diverged = [&](double weight, std::optional<runs::HeldOutRelease> release) {
    return divergence_of({opposed_scores(weight), {1}, 2, {}, std::move(release)}, config)
        .has_value();
  };
  // Scores for inputs from [-1, 1] are as far apart as the weight, in the mean.
  EXPECT_FALSE(diverged(3.5, held_out(500, 160)));
  EXPECT_TRUE(diverged(38, held_out(500, 160)));
  EXPECT_FALSE(diverged(38, held_out(660, 0))) << "sure, and right";
  EXPECT_TRUE(diverged(1000, held_out(660, 0)));
  EXPECT_FALSE(diverged(3.5, std::nullopt));
  EXPECT_TRUE(diverged(100, std::nullopt));
  EXPECT_TRUE(diverged(NAN, std::nullopt));
}

TEST(Divergence, AdvisesARateBelowTheDefaultAndBelowTheGivenOne) {
  TrainingConfig config;
  config.learning_rate = 1000;
  EXPECT_EQ(smaller_rate(config), 0.5);
  config.learning_rate = 1;
  EXPECT_EQ(smaller_rate(config), 0.1);
  config.learning_rate = 0.5;
  EXPECT_EQ(smaller_rate(config), 0.05);
  config.dataset = "csv:patients.csv";
  config.model = "softmax";
  config.learning_rate = 1000;
  EXPECT_EQ(smaller_rate(config), 0.2);
}

// Its features are a function of one record: no neighbour of any adjacency moves them.
TEST_F(TrainerTest, ScatteringTrainsItsClassifierUnderEveryRelation) {
  auto config = TrainingConfig::suited_to({.model = "scatter-linear", .dataset = "digits"});
  config.epochs = 2;
  const auto result = train(config, output(), observer);
  EXPECT_GT(result.test->accuracy, 0.8);
  EXPECT_TRUE(result.features_seconds.has_value());
  EXPECT_EQ(result.recipe, "scatter");
  EXPECT_EQ(privacy().at("arithmetic").get<std::string>().find("LibTorch"), std::string::npos);
  auto loaded = load_model(output() / "model.pt");
  const auto pictures = load_data(config).test;
  const auto again = evaluate(loaded.model, pictures.inputs, pictures.labels, 10);
  EXPECT_NEAR(again.accuracy, result.test->accuracy, 0.002);
  config.adjacency = accounting::Adjacency::kAddRemove;
  EXPECT_TRUE(train(config, output("add-remove"), observer).is_private);
  config.freeze = {"linear*"};
  EXPECT_THROW(train(config, output("frozen"), observer), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(output("frozen")));
}

// Two data sets that differ in one record, whatever it is: the features of the others are the same
// bits, and so is which place they have.
TEST(ScatteringFeatures, OfOtherRecordsDoNotDependOnOne) {
  const auto config = TrainingConfig::suited_to({.model = "scatter-linear", .dataset = "digits"});
  constexpr std::int64_t kRecords = 1100;  // more than are transformed at once
  TensorTrainTest data;
  data.shape = {1, 12, 12};
  data.classes = {"a", "b"};
  data.train = {torch::rand({kRecords, 1, 12, 12}) * 2 - 1, torch::zeros({kRecords}, torch::kLong)};
  data.test = data.train;
  const auto say = [](const std::string&) {};
  const auto features = with_features(data, config, say).train.inputs;
  for (const double pixel : {0.0, -1.0, 1e30, std::nan("")}) {
    auto neighbour = data;
    neighbour.train.inputs = data.train.inputs.clone();
    neighbour.train.inputs[7].fill_(pixel);
    const auto others = with_features(neighbour, config, say).train.inputs;
    EXPECT_TRUE(others.narrow(0, 0, 7).equal(features.narrow(0, 0, 7))) << pixel;
    EXPECT_TRUE(others.narrow(0, 8, kRecords - 8).equal(features.narrow(0, 8, kRecords - 8)))
        << pixel;
  }
}

// A run that was killed before its data were read decides when it is resumed.
TEST_F(TrainerTest, AnOpenBatchSizeIsDecidedByTheRecordsAndRecorded) {
  auto config = quick();
  config.batch_size = 0;
  train(config, output(), observer);
  const auto recorded = [&] {
    return nlohmann::json::parse(read_file(output() / "config.json")).at("batch_size");
  };
  EXPECT_EQ(recorded(), 1024);
  runs::RunFolder::create(output("killed"), json_of(config));
  resume(output("killed"), observer);
  EXPECT_EQ(nlohmann::json::parse(read_file(output("killed") / "config.json")).at("batch_size"),
            1024);
}

TEST(ModelNames, AreThoseThatCanBeMade) {
  auto made = models::model_names();
  std::sort(made.begin(), made.end());
  EXPECT_EQ(settings::network_names(), made);
  EXPECT_EQ(settings::bounded_network_names(), lipschitz::network_names());
}

TEST_F(TrainerTest, ConfigurationSurvivesJson) {
  auto config = quick();
  config.seed = 7;
  config.noise_multiplier = 1.5;
  config.clipping = AdaptiveClipping{};
  config.freeze = {"a*"};
  config.class_names = {"a", "b"};
  config.held_out_epsilon = 0.5;
  config.show_private = true;
  EXPECT_EQ(json_of(settings::training_config_from_json(json_of(config))), json_of(config));
  auto json = json_of(config);
  json.erase("model");
  EXPECT_THROW(settings::training_config_from_json(json), InvalidArgument);
  json = json_of(config);
  for (const auto* later : {"class_names", "held_out_epsilon", "show_private"}) json.erase(later);
  EXPECT_FALSE(settings::training_config_from_json(json).show_private);  // of an older run
  json = json_of(config);
  json["surprise"] = 1;
  EXPECT_THROW(settings::training_config_from_json(json), InvalidArgument);
}

}  // namespace
}  // namespace sotto::train
