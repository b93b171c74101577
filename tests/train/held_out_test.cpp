// Results on held-out private records: charged, noised, released once, and nowhere exact.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "plan/ledger_header.h"
#include "plan/training_ledger.h"
#include "runs/held_out_json.h"
#include "runs/held_out_release.h"
#include "sotto/core/error.h"
#include "sotto/mechanisms/integer_noise.h"
#include "sotto/train/evaluation.h"
#include "sotto/train/trainer.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/messages.h"
#include "tests/mechanisms/chi_square.h"

namespace sotto::train {
namespace {

using accounting::Adjacency;
using data::message_of;
using runs::answer_counts;
using runs::AnswerCounts;
using runs::held_out_epsilon;
using runs::HeldOutRelease;
using runs::HeldOutTerms;
using runs::noised;
using runs::recorded_held_out;
using runs::release_held_out;
using testing::HasSubstr;
using testing::Not;

const std::vector<AnswerCounts> kCounts = {{50, 7}, {31, 12}};

// LibTorch may round a record's scores by how many there are.
TEST(HeldOutRelease, RecordsThatMayBeMissingGoAlone) {
  EXPECT_EQ(held_out_at_once(Adjacency::kAddRemove), 1);
  EXPECT_EQ(held_out_at_once(Adjacency::kZeroOut), kEvaluatedAtOnce);
  torch::manual_seed(3);
  auto model = torch::nn::Sequential(torch::nn::Linear(4, 3));
  const torch::Tensor inputs = torch::randn({7, 4});
  EXPECT_TRUE(torch::allclose(scores_of(model, inputs, 1), scores_of(model, inputs)));
}

TEST(HeldOutRelease, CountsEachRecordOnce) {
  Evaluation evaluation;
  evaluation.confusion = {{5, 1, 2}, {0, 7, 0}, {4, 0, 9}};
  const auto counts = answer_counts(evaluation.confusion);
  ASSERT_EQ(counts.size(), 3U);
  EXPECT_EQ(counts[0].right, 5);
  EXPECT_EQ(counts[0].wrong, 3);
  EXPECT_EQ(counts[2].right, 9);
  EXPECT_EQ(counts[2].wrong, 4);
}

TEST(HeldOutRelease, NoiseIsDiscreteLaplaceOfTheStatedEpsilon) {
  for (const double epsilon : {0.3, 2.0}) {
    SeededRandomNotPrivate random(20261117);
    const mechanisms::DiscreteLaplace law(1, epsilon);
    const auto probability = [&](std::int64_t x) { return law.probability(x); };
    const HeldOutTerms terms{epsilon, Adjacency::kAddRemove};
    mechanisms::expect_distribution(
        20'000, [&] { return noised(kCounts, terms, random).counts[0].right - 50; }, probability,
        100);
    mechanisms::expect_distribution(
        20'000, [&] { return noised(kCounts, terms, random).counts[1].wrong - 12; }, probability,
        100);
  }
}

TEST(HeldOutRelease, NumbersHaveNoiseOfTheirOwn) {
  SeededRandomNotPrivate random(3);
  int different = 0;
  for (int i = 0; i < 200; ++i) {
    const auto release = noised({{0, 0}, {0, 0}}, {0.1, Adjacency::kAddRemove}, random);
    different += release.counts[0].right != release.counts[0].wrong ? 1 : 0;
    different += release.counts[0].right != release.counts[1].right ? 1 : 0;
  }
  EXPECT_GT(different, 350);  // equal in one of about 40 draws
}

TEST(HeldOutRelease, AccuracyIsThatOfTheNoisedCounts) {
  const HeldOutRelease release{1, Adjacency::kAddRemove, {{60, 20}, {30, -10}}};
  EXPECT_DOUBLE_EQ(*release.accuracy(), 0.9);
  EXPECT_GT(*release.accuracy_error(), 0);
  EXPECT_FALSE((HeldOutRelease{1, Adjacency::kAddRemove, {{-3, 1}}}).accuracy());
  EXPECT_EQ((HeldOutRelease{1, Adjacency::kAddRemove, {{5, -2}}}).accuracy(), 1.0);
  EXPECT_EQ(json_of(runs::held_out_release_from_json(json_of(release))), json_of(release));
}

TEST(HeldOutRelease, IsChargedBeforeAnythingIsCounted) {
  const TemporaryFolder folder;
  const auto release = release_held_out(folder.path(), {1.5, Adjacency::kAddRemove}, 2, [&] {
    const auto ledger = Ledger::read(folder / "held_out.jsonl");
    EXPECT_EQ(ledger.events.size(), 1U);
    EXPECT_EQ(ledger.events.at(0).description.at("epsilon"), 1.5);
    return kCounts;
  });
  ASSERT_TRUE(release);
  EXPECT_EQ(release->epsilon, 1.5);
  EXPECT_EQ(Ledger::read(folder / "held_out.jsonl").plan.at("noise"), "discrete Laplace");
}

TEST(HeldOutRelease, IsMadeOnce) {
  const TemporaryFolder folder;
  const HeldOutTerms terms{0.01, Adjacency::kZeroOut};
  const auto first = release_held_out(folder.path(), terms, 2, [] { return kCounts; });
  const auto never = [] {
    ADD_FAILURE() << "counted again";
    return kCounts;
  };
  const auto again = release_held_out(folder.path(), terms, 2, never);
  EXPECT_EQ(json_of(*again), json_of(*first));
  EXPECT_EQ(Ledger::read(folder / "held_out.jsonl").events.size(), 1U);
  // A ledger that was taken away does not bring the release back.
  std::filesystem::rename(folder / "held_out.jsonl", folder / "aside");
  EXPECT_THROW(release_held_out(folder.path(), terms, 2, never), InvalidArgument);
  std::filesystem::rename(folder / "aside", folder / "held_out.jsonl");
  // Charged and lost is lost.
  std::filesystem::remove(folder / "held_out.json");
  EXPECT_FALSE(release_held_out(folder.path(), terms, 2, never));
  // Other terms are another release, which is not paid for.
  EXPECT_THROW(release_held_out(folder.path(), {3, Adjacency::kZeroOut}, 2, never),
               InvalidArgument);
}

// Where the charge was forgotten, the same records would pay twice.
TEST(HeldOutRelease, ALedgerThatPrivacyJsonNamesIsNotMadeAnew) {
  const TemporaryFolder folder;
  const HeldOutTerms terms{0.5, Adjacency::kZeroOut};
  std::ofstream(folder / "privacy.json") << R"({"held_out": {"epsilon": 0.5}, "private": true})";
  int counted = 0;
  const auto release = [&] {
    release_held_out(folder.path(), terms, 2, [&] {
      ++counted;
      return kCounts;
    });
  };
  release();
  EXPECT_EQ(runs::named_held_out_charge(folder.path()),
            Ledger::read(folder / "held_out.jsonl").head_hash());
  release();
  for (const char* name : {"held_out.jsonl", "held_out.json"}) {
    std::filesystem::remove(folder / name);
  }
  EXPECT_THAT(message_of(release), HasSubstr("held_out.jsonl: is missing, or another run's"));
  EXPECT_FALSE(std::filesystem::exists(folder / "held_out.jsonl"));
  std::ofstream(folder / "held_out.jsonl");  // emptied
  EXPECT_THROW(release(), InvalidArgument);
  EXPECT_EQ(counted, 1);
}

// Killed between the charge and its name in privacy.json: the next call makes up for it.
TEST(HeldOutRelease, AChargeThatPrivacyJsonDoesNotNameYetIsNamed) {
  const TemporaryFolder folder;
  const HeldOutTerms terms{0.5, Adjacency::kZeroOut};
  release_held_out(folder.path(), terms, 2, [] { return kCounts; });
  std::ofstream(folder / "privacy.json") << R"({"held_out": {"epsilon": 0.5}})";
  release_held_out(folder.path(), terms, 2, [] { return kCounts; });
  const auto head = Ledger::read(folder / "held_out.jsonl").head_hash();
  EXPECT_EQ(runs::named_held_out_charge(folder.path()), head);
  std::filesystem::remove(folder / "held_out.jsonl");
  EXPECT_EQ(runs::held_out_json(terms, folder.path()).at("ledger_hash"), head);  // and stays
}

PlanOptions training_that_sets_aside(double held_out_epsilon) {
  PlanOptions plan{.dataset_size = 100, .batch_size = 10, .steps = 10};
  plan.noise_multiplier = 2;
  plan.held_out_epsilon = held_out_epsilon;
  return plan;
}

// Queries on the run's ledger counted what its plan sets aside, and no more.
TEST(HeldOutRelease, NothingThatQueriesDidNotCountIsReleasedAfterThem) {
  for (const double set_aside : {0.0, 0.5, 1.0}) {
    const TemporaryFolder folder;
    auto ledger =
        Ledger::create(folder / "ledger.jsonl",
                       TrainingHeader{Plan(training_that_sets_aside(set_aside))}.to_json());
    ledger.charge_event(kQueryEvent, {{"epsilon", 0.1}});
    ledger.flush();
    int counted = 0;
    const auto release = [&] {
      release_held_out(folder.path(), {1.0, Adjacency::kZeroOut}, 2, [&] {
        ++counted;
        return kCounts;
      });
    };
    if (set_aside < 1) {
      EXPECT_THAT(message_of(release), HasSubstr("queries were answered from this budget"));
      EXPECT_FALSE(std::filesystem::exists(folder / "held_out.jsonl"));
    } else {
      release();
    }
    EXPECT_EQ(counted, set_aside < 1 ? 0 : 1);
  }
}

TEST(HeldOutRelease, CostsNothingBeyondTrainingUnlessAskedTo) {
  EXPECT_EQ(held_out_epsilon({}, 2.5), 2.5);
  EXPECT_EQ(held_out_epsilon(0.5, 2.5), 0.5);
  EXPECT_EQ(held_out_epsilon(4, 2.5), 4);
  EXPECT_EQ(held_out_epsilon(0, 2.5), std::nullopt);
  EXPECT_EQ(held_out_epsilon({}, 0), std::nullopt);
  EXPECT_LE(held_out_epsilon({}, std::numeric_limits<double>::infinity()), 1000);
}

class HeldOutTrainingTest : public testing::Test {
 protected:
  HeldOutTrainingTest() {
    std::ofstream table(folder.path() / "t.csv");
    table << "x,y\n";
    for (int i = 0; i < 600; ++i) {
      table << i << ',' << ((i * 7919) % 600 < i ? "b" : "a") << '\n';
    }
    std::ofstream(folder.path() / "schema.json")
        << R"({"label": "y", "classes": ["a", "b"], "columns": {"x": {"low": 0, "high": 600}}})";
  }
  TrainingConfig config() const {
    TrainingConfig config;
    config.dataset = "csv:" + (folder.path() / "t.csv").string();
    config.csv_schema = folder.path() / "schema.json";
    config.model = "softmax";
    config.batch_size = 100;
    config.epochs = 3;
    return config;
  }
  nlohmann::json json(const std::string& file) const {
    return nlohmann::json::parse(read_file(folder.path() / file));
  }
  std::vector<std::filesystem::path> files(const std::string& run) const {
    std::vector<std::filesystem::path> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path() / run)) {
      all.push_back(entry.path());
    }
    return all;
  }
  TrainingResult run(const TrainingConfig& config, const std::string& name = "run") {
    return train(config, folder.path() / name, observer);
  }

  TemporaryFolder folder;
  TrainingObserver observer;
};

TEST_F(HeldOutTrainingTest, AnAccuracyIsReleasedWithinTheTrainingsEpsilon) {
  const auto result = run(config());
  EXPECT_FALSE(result.test);
  ASSERT_TRUE(result.held_out);
  EXPECT_EQ(result.held_out->epsilon, result.spent->epsilon);
  EXPECT_LE(result.spent->epsilon, 3);
  ASSERT_TRUE(result.accuracy());
  EXPECT_GT(*result.accuracy(), 0.4);
  const auto privacy = json("run/privacy.json");
  EXPECT_EQ(privacy.at("epsilon"), result.spent->epsilon);
  EXPECT_EQ(privacy.at("held_out").at("epsilon"), result.spent->epsilon);
  EXPECT_EQ(privacy.at("held_out").at("delta"), 0);
  EXPECT_EQ(privacy.at("held_out").at("relation"), "zero-out");
  EXPECT_EQ(privacy.at("held_out").at("ledger_hash"),
            Ledger::read(folder.path() / "run/held_out.jsonl").head_hash());
  EXPECT_THAT(read_file(folder.path() / "run/privacy.md"), HasSubstr("discrete Laplace noise"));
  EXPECT_THAT(read_file(folder.path() / "run/privacy.md"),
              HasSubstr("The number of training records (dataset_size) is public"));
}

TEST_F(HeldOutTrainingTest, AFinishedRunReleasesNothingAgain) {
  const auto result = run(config());
  const auto again = resume(folder.path() / "run", observer);
  EXPECT_EQ(json_of(*again.held_out), json_of(*result.held_out));
  EXPECT_EQ(Ledger::read(folder.path() / "run/held_out.jsonl").events.size(), 1U);
}

TEST_F(HeldOutTrainingTest, AFinishedRunThatLostItsReleaseMakesNoOther) {
  run(config());
  const auto privacy = read_file(folder.path() / "run/privacy.json");
  for (const char* name : {"held_out.jsonl", "held_out.json"}) {
    std::filesystem::remove(folder.path() / "run" / name);
  }
  EXPECT_THAT(message_of([&] { resume(folder.path() / "run", observer); }),
              HasSubstr("held_out.jsonl: is missing"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "run/held_out.json"));
  EXPECT_EQ(read_file(folder.path() / "run/privacy.json"), privacy);
}

// Who asks queries of the run's ledger, before or after, finds it there.
TEST_F(HeldOutTrainingTest, TheLedgerSaysWhatIsSetAside) {
  const auto set_aside = [&](const std::string& run) {
    return training_header(Ledger::read(folder.path() / run / "ledger.jsonl"))
        .plan.options()
        .held_out_epsilon;
  };
  const auto result = run(config(), "default");
  EXPECT_GE(set_aside("default"), result.held_out->epsilon);
  EXPECT_LE(set_aside("default"), 3);
  auto given = config();
  given.held_out_epsilon = 9;
  run(given, "given");
  EXPECT_EQ(set_aside("given"), 9);
  given.held_out_epsilon = 0;
  run(given, "nothing");
  EXPECT_EQ(set_aside("nothing"), 0);
}

TEST_F(HeldOutTrainingTest, ThePromiseIsTheLargerOfTheTwo) {
  auto larger = config();
  larger.held_out_epsilon = 9;
  EXPECT_EQ(run(larger, "larger").spent->epsilon, 9);
  EXPECT_EQ(json("larger/privacy.json").at("epsilon"), 9);
  auto smaller = config();
  smaller.held_out_epsilon = 0.5;
  EXPECT_GT(run(smaller, "smaller").spent->epsilon, 2);
  EXPECT_EQ(json("smaller/privacy.json").at("held_out").at("epsilon"), 0.5);
}

TEST_F(HeldOutTrainingTest, WithZeroAllRowsAreTrainedOn) {
  auto all = config();
  all.held_out_epsilon = 0;
  const auto result = run(all);
  EXPECT_FALSE(result.accuracy());
  EXPECT_EQ(json("run/privacy.json").at("plan").at("dataset_size"), 600);
  EXPECT_FALSE(json("run/privacy.json").contains("held_out"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "run/held_out.jsonl"));
}

TEST_F(HeldOutTrainingTest, ARecordThatMayChangeSidesIsRefused) {
  auto replaced = config();
  replaced.adjacency = Adjacency::kReplaceOne;
  auto fixed_size = config();
  fixed_size.sampling = accounting::Sampling::kFixedSize;  // replace-one by default
  for (const auto& refused : {replaced, fixed_size}) {
    EXPECT_THAT(message_of([&] { run(refused); }),
                AllOf(HasSubstr("relation replace-one"), HasSubstr("csv_test FILE"),
                      HasSubstr("zero-out")));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "run"));
  }
  fixed_size.held_out_epsilon = 0;
  EXPECT_TRUE(run(fixed_size, "all rows").is_private);
  replaced.csv_test = folder.path() / "public.csv";
  std::filesystem::copy_file(folder.path() / "t.csv", replaced.csv_test);
  EXPECT_TRUE(run(replaced, "public test rows").test);
}

TEST_F(HeldOutTrainingTest, APersonOnBothSidesIsRefusedInWordsOfSettings) {
  auto groups = config();
  groups.group_size = 2;
  for (const auto& given : {std::optional<double>(), std::optional(0.5)}) {
    groups.held_out_epsilon = given;
    EXPECT_THAT(message_of([&] { run(groups); }),
                AllOf(HasSubstr("group_size 2: a person's records"),
                      HasSubstr("(held_out_epsilon 0)"), HasSubstr("(csv_test FILE)")));
  }
  EXPECT_THROW(run(groups), InvalidSetting);
  groups.held_out_epsilon = 0;
  EXPECT_TRUE(run(groups, "all rows").is_private);
}

TEST_F(HeldOutTrainingTest, PublicTestRowsAreLookedAt) {
  auto with_test = config();
  with_test.csv_test = folder.path() / "public.csv";
  std::filesystem::copy_file(folder.path() / "t.csv", with_test.csv_test);
  const auto result = run(with_test);
  EXPECT_TRUE(result.test);
  EXPECT_FALSE(result.held_out);
  EXPECT_EQ(json("run/evaluation.json").at("samples"), 600);
  with_test.held_out_epsilon = 1;
  EXPECT_THAT(message_of([&] { run(with_test, "no"); }), HasSubstr("held_out_epsilon"));
}

// Every number that the same run with --show-private writes about private records.
std::vector<std::string> exact_numbers(const std::filesystem::path& run) {
  std::vector<std::string> numbers;
  const auto take = [&](const nlohmann::json& object) {
    for (const auto* key :
         {"train_loss", "held_out_loss", "held_out_accuracy", "loss", "accuracy"}) {
      if (object.contains(key)) numbers.push_back(object.at(key).dump());
    }
  };
  std::ifstream metrics(run / "metrics.private.jsonl");
  for (std::string line; std::getline(metrics, line);) take(nlohmann::json::parse(line));
  take(nlohmann::json::parse(read_file(run / "evaluation.private.json")));
  std::erase_if(numbers, [](const std::string& number) { return number.size() < 10; });
  return numbers;
}

TEST_F(HeldOutTrainingTest, ExactNumbersAreInNoFileUnlessAskedFor) {
  auto seeded = config();
  seeded.insecure_seed = 11;
  seeded.held_out_epsilon = 0.05;  // noise that moves the accuracy
  run(seeded, "quiet");
  seeded.show_private = true;
  const auto shown = run(seeded, "shown");
  EXPECT_TRUE(shown.train_loss);
  EXPECT_EQ(read_file(folder.path() / "quiet/held_out.json"),
            read_file(folder.path() / "shown/held_out.json"));
  const auto numbers = exact_numbers(folder.path() / "shown");
  ASSERT_GE(numbers.size(), 6U);
  for (const auto* name : {"quiet", "shown"}) {
    for (const auto& file : files(name)) {
      if (file.filename().string().find("private") != std::string::npos) {
        EXPECT_STREQ(name, "shown") << file;
        continue;
      }
      const auto text = read_file(file);
      for (const auto& number : numbers) EXPECT_THAT(text, Not(HasSubstr(number))) << file;
      EXPECT_THAT(text, Not(HasSubstr("confusion\"")));
      if (file.filename() != "checkpoint.pt") continue;
      EXPECT_THAT(text, Not(HasSubstr("train_loss")));
    }
  }
}

TEST_F(HeldOutTrainingTest, NothingPrivateIsToldOnTheWay) {
  struct Witness : TrainingObserver {
    void on_progress(const runs::Progress& progress) override { told = told || progress.loss; }
    void on_epoch(const EpochReport& report) override {
      told = told || report.train_loss || report.test_accuracy || report.test_loss ||
             report.held_out_accuracy || report.held_out_loss || report.norms;
      ++epochs;
    }
    bool told = false;
    int epochs = 0;
  } witness;
  const auto result = train(config(), folder.path() / "run", witness);
  EXPECT_EQ(witness.epochs, 3);
  EXPECT_FALSE(witness.told);
  EXPECT_FALSE(result.train_loss);
  EXPECT_FALSE(result.discarded);
}

}  // namespace
}  // namespace sotto::train
