// sotto evaluate as a user runs it: on public test data, on private rows, and column by column.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "data/held_out_split.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class EvaluateTest : public testing::Test {
 protected:
  EvaluateTest() {
    write_file_atomically(path("schema.json"),
                          R"({"label": "ill", "classes": ["no", "yes"],
                              "columns": {"ward": {"categories": ["a", "b", "c"]},
                                          "fever": {"low": 35, "high": 42}}})");
    write_file_atomically(path("private.csv"), table(900, 0));
    write_file_atomically(path("public.csv"), table(300, 5));
  }
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  // Fever says who is ill, in nine cases of ten; three in ten are.
  static std::string table(int rows, int shift) {
    const char* const wards[] = {"a", "b", "c"};
    std::string text = "ward,fever,ill\n";
    for (int i = 0; i < rows; ++i) {
      const int turn = (i * 7 + shift) % 100;
      const bool ill = (turn < 30) != (i % 10 == 0);
      text += std::string(wards[(i / 3 + shift) % 3]) + "," + (turn < 30 ? "40." : "36.") +
              std::to_string(i % 90 + 10) + (ill ? ",yes\n" : ",no\n");
    }
    return text;
  }
  std::string train(const std::string& flags) const {
    return "train --dataset csv:" + path("private.csv") + " --schema " + path("schema.json") +
           " --model softmax --batch-size 150 --epochs 15 --lr 0.5 --seed 1 --output " +
           path("run") + " " + flags;
  }
  void expect_trained(const std::string& arguments) const {
    const auto trained = run_program(arguments);
    ASSERT_EQ(trained.status, 0) << trained.err;
  }
  json evaluate(const std::string& flags = "") const {
    const auto outcome = run_program("evaluate " + path("run") + " --json " + flags);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.json();
  }
  TemporaryFolder folder;
};

// The parts must agree with each other, with the confusion matrix, and with evaluation.json.
void expect_consistent(const json& scores) {
  const double accuracy = scores["test_accuracy"];
  EXPECT_LT(scores["accuracy_interval"][0], accuracy);
  EXPECT_GT(scores["accuracy_interval"][1], accuracy);
  std::int64_t records = 0;
  std::int64_t right = 0;
  double recalls = 0;
  for (std::size_t i = 0; i < scores["per_class"].size(); ++i) {
    const auto& row = scores["per_class"][i];
    EXPECT_EQ(row["class"], scores["classes"][i]);
    EXPECT_EQ(row["right"], scores["confusion"][i][i]);
    records += row["records"].get<std::int64_t>();
    right += row["right"].get<std::int64_t>();
    recalls += row["recall"].get<double>();
  }
  EXPECT_EQ(scores["samples"], records);
  EXPECT_NEAR(accuracy, static_cast<double>(right) / static_cast<double>(records), 1e-6);
  EXPECT_NEAR(scores["balanced_accuracy"].get<double>(),
              recalls / static_cast<double>(scores["per_class"].size()), 1e-12);
  EXPECT_NEAR(scores["calibration"]["log_loss"].get<double>(), scores["test_loss"].get<double>(),
              1e-4);
  EXPECT_LE(scores["auc"]["interval"][0], scores["auc"]["value"]);
  EXPECT_GE(scores["auc"]["interval"][1], scores["auc"]["value"]);
}

TEST_F(EvaluateTest, PicturesHaveEveryScore) {
  expect_trained("train --dataset digits --model softmax --batch-size 500 --epochs 1 --output " +
                 path("run"));
  const auto scores = evaluate();
  expect_consistent(scores);
  EXPECT_EQ(scores["baseline"]["verdict"], "better");
  EXPECT_EQ(scores["auc"]["by_class"].size(), 10U);
  const auto written = json::parse(read_file(path("run/evaluation.json")));
  EXPECT_NEAR(written["auc"]["value"].get<double>(), scores["auc"]["value"].get<double>(), 1e-4);
  EXPECT_EQ(written["calibration"]["bins"].size(), 10U);
  EXPECT_THAT(read_file(path("run/report.html")),
              AllOf(HasSubstr("How good it is"), HasSubstr("Better than always answering"),
                    HasSubstr("Do probabilities mean what they say?")));
  const auto text = run_program("evaluate " + path("run")).out;
  for (const auto* words : {"Accuracy", "Better than always answering", "mean recall", "AUC 0.",
                            "expected calibration error", "Clopper-Pearson", "DeLong",
                            "how often it was true", "predicted class"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
  expect_refused("evaluate " + path("run") + " --importance",
                 "--importance: the model takes pictures");
}

TEST_F(EvaluateTest, PublicRowsOfATableAreScoredAndColumnsWeighed) {
  expect_trained(train("--test-data " + path("public.csv")));
  const auto scores = evaluate("--importance --repeats 3 --seed 4");
  expect_consistent(scores);
  EXPECT_EQ(scores["auc"]["of"], "class yes");
  EXPECT_EQ(scores["baseline"]["class"], "no");
  const auto& columns = scores["importance"]["columns"];
  ASSERT_EQ(columns.size(), 2U);  // one-hot features are one column
  EXPECT_EQ(columns[0]["column"], "fever");
  EXPECT_GT(columns[0]["accuracy_drop"]["mean"], 0.1);
  EXPECT_GT(columns[0]["auc_drop"]["mean"], 0.1);
  EXPECT_LT(columns[1]["accuracy_drop"]["mean"], 0.05);
  EXPECT_EQ(evaluate("--importance --repeats 3 --seed 4"), scores);
  EXPECT_NE(evaluate("--importance --repeats 3 --seed 5")["importance"], scores["importance"]);
  EXPECT_FALSE(evaluate().contains("importance"));
  EXPECT_THAT(run_program("evaluate " + path("run") + " --importance").out,
              AllOf(HasSubstr("mean ± standard deviation of 5 permutations"), HasSubstr("fever")));
  const std::string run = "evaluate " + path("run");
  expect_refused(run + " --repeats 3", "--repeats: only with --importance");
  expect_refused(run + " --seed 3", "--seed: only with --importance");
  expect_refused(run + " --importance --repeats 0", "--repeats '0'");
  expect_refused(run + " --importance --seed x", "--seed 'x'");
}

TEST_F(EvaluateTest, PrivateRowsShowWhatWasReleasedAndNothingElse) {
  expect_trained(train(""));
  const auto scores = evaluate();
  const auto released = json::parse(read_file(path("run/held_out.json")));
  EXPECT_EQ(scores["test_accuracy"], released["accuracy"]);
  for (const auto* key : {"accuracy_interval", "baseline", "balanced_accuracy", "per_class", "auc",
                          "calibration", "confusion", "samples", "test_loss"}) {
    EXPECT_FALSE(scores.contains(key)) << key;
  }
  EXPECT_THAT(scores["not_released"].get<std::string>(), HasSubstr("private"));
  // From the noised counts alone.
  const auto& answers = released["answers"];
  const auto records = [&](int i) {
    return answers[i]["right"].get<double>() + answers[i]["wrong"].get<double>();
  };
  const auto& derived = scores["from_noised_counts"];
  EXPECT_NEAR(derived["baseline"]["accuracy"].get<double>(), records(0) / (records(0) + records(1)),
              1e-12);
  EXPECT_LT(derived["accuracy_interval"][0], released["accuracy"]);
  const auto text = run_program("evaluate " + path("run")).out;
  EXPECT_THAT(text, AllOf(HasSubstr("with noise"), HasSubstr("Withheld"), Not(HasSubstr("Ranking")),
                          Not(HasSubstr("Calibration"))));
  EXPECT_THAT(read_file(path("run/report.html")), Not(HasSubstr("How good it is")));
  EXPECT_THAT(read_file(path("run/evaluation.json")),
              AllOf(Not(HasSubstr("auc")), Not(HasSubstr("calibration"))));
  for (const std::string flags : {" --importance", " --importance --show-private"}) {
    expect_refused("evaluate " + path("run") + flags, "--importance: the test rows are private");
  }
  EXPECT_FALSE(std::filesystem::exists(path("run/evaluation.private.json")));
}

// The model's file alone is taken at its word.
TEST_F(EvaluateTest, ARunThatLostItsLedgerShowsNoEpsilon) {
  expect_trained(train(""));
  const std::string command = "evaluate " + path("run");
  EXPECT_THAT(run_program(command).out,
              AllOf(HasSubstr("e^ε"), HasSubstr("; ε = "), Not(HasSubstr("NOT PROVED"))));
  EXPECT_FALSE(evaluate().contains("epsilon"));
  for (const auto* lost : {"held_out.jsonl", "ledger.jsonl", "privacy.json"}) {
    SCOPED_TRACE(lost);
    std::filesystem::remove(path("run/") + lost);
    EXPECT_THAT(run_program(command).out,
                AllOf(HasSubstr("NOT PROVED"), HasSubstr(lost), HasSubstr("% on held-out records"),
                      Not(HasSubstr("e^ε")), Not(HasSubstr("ε = "))));
    auto scores = evaluate();
    EXPECT_EQ(scores["epsilon"], "Infinity");
    EXPECT_THAT(scores["contradictions"].dump(), HasSubstr(lost));
    EXPECT_EQ(scores["held_out"]["epsilon"], "Infinity");
    EXPECT_TRUE(scores["held_out"]["delta"].is_null());
    auto exact = evaluate("--test-data " + path("public.csv"));
    EXPECT_EQ(exact["epsilon"], "Infinity");
  }
  std::filesystem::create_directory(path("alone"));
  std::filesystem::rename(path("run/model.pt"), path("alone/model.pt"));
  const auto alone =
      run_program("evaluate " + path("alone/model.pt") + " --dataset csv:" + path("private.csv") +
                  " --schema " + path("schema.json") + " --test-data " + path("public.csv"));
  EXPECT_THAT(alone.out, HasSubstr("e^ε")) << alone.err;
}

// Whether any record was held out is private: the file alone says it.
TEST_F(EvaluateTest, NoHeldOutRecordsAreNoError) {
  int fever = 36;
  while (data::row_is_held_out({"a", std::to_string(fever), "no"})) ++fever;
  std::string rows = "ward,fever,ill\n";
  for (int i = 0; i < 200; ++i) rows += "a," + std::to_string(fever) + ",no\n";
  write_file_atomically(path("private.csv"), rows);
  expect_trained(train("--held-out-epsilon 1"));
  const auto outcome = run_program("evaluate " + path("run") + " --show-private --json");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(json::parse(read_file(path("run/evaluation.private.json")))["samples"], 0);
}

TEST_F(EvaluateTest, RunsWithoutPrivacyAreScoredTheSameWay) {
  expect_trained(train("--disable-dp"));
  const auto scores = evaluate("--importance");
  expect_consistent(scores);
  EXPECT_EQ(scores["importance"]["columns"][0]["column"], "fever");
}

TEST_F(EvaluateTest, ASweepHasNoFolds) {
  expect_refused("sweep --dataset digits --folds 5 --epochs 1,2 --output " + path("sweep"),
                 "--folds: a sweep has no folds");
  EXPECT_FALSE(std::filesystem::exists(path("sweep")));
}

}  // namespace
}  // namespace sotto::cli
