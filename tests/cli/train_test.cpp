// sotto train, evaluate and predict as a user runs them.
#include <gtest/gtest.h>

#include <fstream>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

class TrainCommandTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }
  std::string quick(const std::string& name, const std::string& flags = "") const {
    return "train --dataset digits --model softmax --batch-size 500 --epochs 1 --output " +
           path(name) + " " + flags;
  }
  TemporaryFolder folder;
};

TEST_F(TrainCommandTest, PrintsOneJsonObjectWithEveryKey) {
  const auto outcome = run_program(quick("run", "--json"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json();
  for (const auto* key : {"test_accuracy", "test_loss", "epsilon", "epsilon_lower", "delta",
                          "steps", "noise_multiplier", "seconds", "samples_per_second", "output"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_FALSE(json.contains("train_loss"));  // unless asked for
  EXPECT_TRUE(json["not_covered_by_epsilon"].empty());
  EXPECT_LE(json["epsilon"].get<double>(), 3);
  EXPECT_LE(json["epsilon_lower"].get<double>(), json["epsilon"].get<double>());
  EXPECT_EQ(json["steps"], 20);
  EXPECT_EQ(json["output"], path("run"));
  EXPECT_EQ(outcome.err.find('\r'), std::string::npos);  // no bar where there is no terminal
}

TEST_F(TrainCommandTest, RefusedValuesNameFlags) {
  expect_refused("train --noise-multiplier 0", "(to train without noise, say --disable-dp)");
  expect_refused("train --model foo", "or with --method clipless lip-cnn");
}

TEST_F(TrainCommandTest, JsonNamesWhatNoEpsilonCovers) {
  const auto json = run_program(quick("run", "--show-private --show-norms --json")).json();
  const auto& names = json["not_covered_by_epsilon"];
  EXPECT_EQ(names[0], "train_loss");
  EXPECT_GT(names.size(), 2U);
  for (const auto& name : names) EXPECT_TRUE(json.contains(name.get<std::string>())) << name;
}

TEST_F(TrainCommandTest, TextGivesAccuracyAndThePromise) {
  const auto outcome = run_program(quick("run"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("Accuracy"), std::string::npos);
  EXPECT_NE(outcome.out.find("Whatever anybody concludes"), std::string::npos);
  EXPECT_NE(outcome.err.find("best RDP order"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(path("run/model.pt")));
}

TEST_F(TrainCommandTest, RecipesAreExplainedWithoutTraining) {
  const auto text = run_program("train --explain-recipe");
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("scatter-linear"), std::string::npos);
  EXPECT_NE(run_program("train --explain-recipe --epochs 1").out.find(", 1 epoch, "),
            std::string::npos);
  const auto json = run_program("train --explain-recipe --target-epsilon 1 --json").json();
  EXPECT_EQ(json["recipe"], "scatter");
  EXPECT_EQ(json["settings"]["epochs"], 60);
  EXPECT_EQ(run_program("train --recipe seed --explain-recipe --json").json()["settings"]["model"],
            "cnn");
  EXPECT_EQ(run_program("train --model cnn --explain-recipe --json").json()["recipe"], "seed");
  const auto both = run_program("train --recipe scatter --model cnn --explain-recipe");
  EXPECT_EQ(both.status, 2);
  EXPECT_NE(both.err.find("--recipe"), std::string::npos);
  const auto unknown = run_program("train --recipe best");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("auto, scatter or seed"), std::string::npos) << unknown.err;
}

TEST_F(TrainCommandTest, EvaluateAndPredictUseTheRun) {
  ASSERT_EQ(run_program(quick("run")).status, 0);
  const auto evaluation = run_program("evaluate " + path("run") + " --json").json();
  EXPECT_EQ(evaluation["confusion"].size(), 10U);
  EXPECT_GT(evaluation["test_accuracy"].get<double>(), 0.3);
  const auto text = run_program("evaluate " + path("run/model.pt"));
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.out.find("predicted class"), std::string::npos);
  ASSERT_EQ(run_program("data show digits --output " + path("digits.png")).status, 0);
  const auto prediction =
      run_program("predict " + path("run") + " " + path("digits.png") + " --json").json();
  EXPECT_EQ(prediction["predictions"].size(), 1U);
}

TEST_F(TrainCommandTest, TablesAreTrainedOnAndPredicted) {
  std::ofstream table(path("people.csv"));
  table << "age,work,rich\n";
  for (int i = 0; i < 600; ++i) {
    table << 20 + i % 50 << ',' << (i % 3 == 0 ? "office" : "field") << ','
          << (i % 50 > 25 ? "yes" : "no") << '\n';
  }
  table.close();
  std::ofstream(path("schema.json")) << R"({"label": "rich", "classes": ["no", "yes"], "columns":
            {"age": {"low": 0, "high": 100}, "work": {"categories": ["office", "field"]}}})";
  const auto outcome = run_program(
      "train --dataset csv:" + path("people.csv") + " --schema " + path("schema.json") +
      " --model mlp --batch-size 100 --epochs 20 --lr 0.5 --noise-multiplier 0.5 --json "
      "--output " +
      path("run"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_GT(outcome.json()["test_accuracy"].get<double>(), 0.7);
  const auto labels = run_program("predict " + path("run") + " " + path("people.csv"));
  EXPECT_EQ(std::count(labels.out.begin(), labels.out.end(), '\n'), 600) << labels.err;
  std::ofstream(path("new.csv")) << "age,work\n30,field\n60,office\n";
  const auto fresh = run_program("predict " + path("run") + " " + path("new.csv"));
  EXPECT_EQ(std::count(fresh.out.begin(), fresh.out.end(), '\n'), 2) << fresh.err;
  // The run holds its schema: what becomes of the file changes nothing.
  std::ofstream(path("schema.json")) << R"({"label": "rich", "classes": ["no", "yes"], "columns":
            {"age": {"low": 0, "high": 9}, "work": {"categories": ["field", "office"]}}})";
  EXPECT_EQ(run_program("predict " + path("run") + " " + path("people.csv")).out, labels.out);
  expect_refused(
      "predict " + path("run") + " " + path("new.csv") + " --schema " + path("schema.json"),
      "not the columns that the model was trained on");
  std::filesystem::remove(path("schema.json"));
  EXPECT_EQ(run_program("predict " + path("run") + " " + path("people.csv")).out, labels.out);
  EXPECT_EQ(run_program("evaluate " + path("run") + " --json").status, 0);
}

TEST_F(TrainCommandTest, APersonWithSeveralRecordsPaysForAllOfThem) {
  const std::string noise = "--noise-multiplier 2 ";
  const auto three = run_program(quick("three", noise + "--group-size 3 --json")).json();
  const auto one = run_program(quick("one", noise + "--json")).json();
  EXPECT_GT(three["epsilon"].get<double>(), 2.5 * one["epsilon"].get<double>());
  const auto planned = run_program("budget -s 10000 -b 500 -n 2 -e 1 --group-size 3 --json").json();
  EXPECT_NEAR(three["epsilon"].get<double>(), planned["epsilon"].get<double>(), 1e-2);
  const auto privacy = read_file(path("three/privacy.md"));
  EXPECT_NE(privacy.find("nobody has more than 3 records"), std::string::npos) << privacy;
  EXPECT_NE(privacy.find("any 3 records"), std::string::npos) << privacy;
  // A target holds for the group: there is more noise.
  const auto aimed = run_program(quick("aimed", "--target-epsilon 2 --group-size 2 --json")).json();
  EXPECT_LE(aimed["epsilon"].get<double>(), 2);
  expect_refused(quick("none", "--group-size 2 --gradients graph"), "no analysis here");
  EXPECT_FALSE(std::filesystem::exists(path("none")));
  expect_refused(quick("none", "--group-size 0"), "--group-size '0': expected a whole number");
}

// The schema is public, the rows are not: what is said follows from the schema and the flags.
TEST_F(TrainCommandTest, ThePersonOfTheSchemaIsToldWhatIsProtected) {
  std::ofstream table(path("visits.csv"));
  table << "patient,age,ill\n";
  for (int i = 0; i < 200; ++i)
    table << i / 2 << ',' << i % 50 << (i % 2 == 0 ? ",no\n" : ",yes\n");
  table.close();
  std::ofstream(path("schema.json")) << R"({"label": "ill", "classes": ["no", "yes"],
            "person": "patient", "columns": {"age": {"low": 0, "high": 50}}})";
  const std::string held_out = "train --dataset csv:" + path("visits.csv") + " --schema " +
                               path("schema.json") + " --batch-size 50 --json --epochs 1 " +
                               "--noise-multiplier 2 --output ";
  const auto refused = run_program(held_out + path("refused") + " --group-size 2");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("--group-size 2: a person's records may be trained on and held out"),
            std::string::npos)
      << refused.err;
  EXPECT_NE(refused.err.find("--held-out-epsilon 0"), std::string::npos) << refused.err;
  EXPECT_NE(run_program(held_out + path("aside"))
                .err.find("--group-size K (with --test-data FILE or --held-out-epsilon 0)"),
            std::string::npos);
  const std::string train = "train --held-out-epsilon 0" + held_out.substr(5);
  const auto rows = run_program(train + path("rows"));
  ASSERT_EQ(rows.status, 0) << rows.err;
  EXPECT_EQ(
      rows.err.find("WARNING: the schema names column 'patient' as the person, but ε protects "
                    "one row"),
      0U)
      << rows.err;
  EXPECT_NE(rows.err.find("--group-size K promises"), std::string::npos) << rows.err;
  EXPECT_EQ(rows.err.find("WARNING", 1), std::string::npos) << "once";
  EXPECT_NE(rows.json()["statement"].get<std::string>().find("ε protects one row"),
            std::string::npos);
  const auto privacy = nlohmann::json::parse(read_file(path("rows/privacy.json")));
  EXPECT_NE(privacy["statement"]["limits"].get<std::string>().find("column 'patient'"),
            std::string::npos);
  EXPECT_EQ(privacy["statement"]["limits"].get<std::string>().find("group"), std::string::npos)
      << "no advice about a finished run";
  EXPECT_EQ(privacy["plan"].dump().find("patient"), std::string::npos);
  EXPECT_NE(run_program("statement " + path("rows")).out.find("ε protects one row"),
            std::string::npos);
  const auto persons = run_program(train + path("persons") + " --group-size 2");
  ASSERT_EQ(persons.status, 0) << persons.err;
  EXPECT_EQ(persons.err.find("WARNING"), std::string::npos) << persons.err;
  EXPECT_NE(persons.json()["statement"].get<std::string>().find(
                "all records of one person (column 'patient') as long as nobody has more than 2"),
            std::string::npos);
  EXPECT_EQ(run_program(train + path("plain") + " --disable-dp").err.find("WARNING"),
            std::string::npos);
}

TEST_F(TrainCommandTest, TrainingThatDivergesSaysSo) {
  const auto wild = run_program(quick("wild", "--optimizer adam --lr 300 --json"));
  ASSERT_EQ(wild.status, 0) << wild.err;
  EXPECT_TRUE(wild.json()["diverged"]);
  EXPECT_NE(wild.json()["divergence"].get<std::string>().find("such as 0.0035 instead of 300"),
            std::string::npos);
  const auto tame = run_program(quick("tame", "--optimizer adam --json"));
  EXPECT_FALSE(tame.json()["diverged"]);
  EXPECT_GT(tame.json()["test_accuracy"].get<double>(), 0.5);
}

// Without public test records it is told by the weights alone, which are released anyway.
TEST_F(TrainCommandTest, DivergenceIsToldWithoutALookAtPrivateRecords) {
  std::ofstream table(path("people.csv"));
  table << "age,rich\n";
  for (int i = 0; i < 400; ++i) table << i % 50 << ',' << (i % 50 > 25 ? "yes" : "no") << '\n';
  table.close();
  std::ofstream(path("schema.json")) << R"({"label": "rich", "classes": ["no", "yes"], "columns":
            {"age": {"low": 0, "high": 50}}})";
  const std::string train = "train --dataset csv:" + path("people.csv") + " --schema " +
                            path("schema.json") + " --batch-size 50 --epochs 2 --json ";
  EXPECT_TRUE(run_program(train + "--lr 20000 --output " + path("wild")).json()["diverged"]);
  EXPECT_FALSE(run_program(train + "--output " + path("tame")).json()["diverged"]);
}

TEST_F(TrainCommandTest, DefaultsFollowTheNumberOfRecords) {
  std::ofstream table(path("people.csv"));
  table << "age,rich\n";
  for (int i = 0; i < 400; ++i) table << i % 50 << ',' << (i % 50 > 25 ? "yes" : "no") << '\n';
  table.close();
  std::ofstream(path("schema.json")) << R"({"label": "rich", "classes": ["no", "yes"], "columns":
            {"age": {"low": 0, "high": 50}}})";
  const std::string train = "train --dataset csv:" + path("people.csv") + " --schema " +
                            path("schema.json") + " --epochs 1 ";
  for (const std::string flags : {"", "--disable-dp", "--method clipless"}) {
    const auto run = path("run" + std::to_string(flags.size()));
    const auto outcome = run_program(train + flags + " --output " + run);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto config = nlohmann::json::parse(read_file(run + "/config.json"));
    EXPECT_GE(config["batch_size"], 1) << flags;
    EXPECT_LE(config["batch_size"], 100) << flags << ": a quarter of the records";
  }
  expect_refused(train + "--batch-size 1024 --output " + path("large"),
                 "--batch-size 1024: exceeds");
}

TEST_F(TrainCommandTest, ADeltaThatPromisesTooLittleIsToldFirst) {
  const auto outcome = run_program(quick("weak", "--delta 0.01"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("WARNING: δ = 0.01 is not below 1/10000"), 0U) << outcome.err;
  EXPECT_EQ(run_program(quick("usual")).err.find("WARNING"), std::string::npos);
}

TEST_F(TrainCommandTest, ADamagedSchemaIsToldUnderTheNameOfItsFile) {
  std::ofstream(path("people.csv")) << "age,rich\n1,yes\n2,no\n";
  std::ofstream(path("bad2.json")) << "{\"label\": ";
  expect_refused("train --dataset csv:" + path("people.csv") + " --schema " + path("bad2.json") +
                     " --output " + path("none"),
                 path("bad2.json"));
  EXPECT_FALSE(std::filesystem::exists(path("none")));
}

TEST_F(TrainCommandTest, SeededRunsShout) {
  const auto json = run_program(quick("run", "--insecure-seed 3 --json")).json();
  EXPECT_EQ(json["epsilon"], "Infinity");
  EXPECT_NE(json["statement"].get<std::string>().find("NOT PRIVATE"), std::string::npos);
  EXPECT_NE(read_file(folder.path() / "run/privacy.md").find("NOT PRIVATE"), std::string::npos);
}

struct BadTraining {
  std::string arguments;
  std::string named;
};
void PrintTo(const BadTraining& bad, std::ostream* out) { *out << "sotto " << bad.arguments; }

class BadTrainingTest : public TrainCommandTest, public testing::WithParamInterface<BadTraining> {};

TEST_P(BadTrainingTest, GetsOneLineAndStatusTwoAndLeavesNothing) {
  const auto outcome =
      run_program(GetParam().arguments + " --output " + path("run") + " 2>/dev/stdout 1>&2");
  const auto& line = outcome.out.empty() ? outcome.err : outcome.out;
  EXPECT_EQ(outcome.status, 2) << line;
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
  EXPECT_NE(line.find(GetParam().named), std::string::npos) << line;
  EXPECT_FALSE(std::filesystem::exists(path("run")));
}

INSTANTIATE_TEST_SUITE_P(
    Train, BadTrainingTest,
    testing::Values(
        BadTraining{"train --noise-multiplier 0", "--noise-multiplier '0'"},
        BadTraining{"train --max-grad-norm 0", "--max-grad-norm '0'"},
        BadTraining{"train --max-grad-norm -1", "--max-grad-norm '-1'"},
        BadTraining{"train --max-grad-norm 1e-30", "--max-grad-norm '1e-30'"},
        BadTraining{"train --gradients quick", "--gradients 'quick'"},
        BadTraining{"train --batch-size 0", "--batch-size '0'"},
        BadTraining{"train --dataset digits --batch-size 20000", "20000"},
        BadTraining{"train --dataset nonsense", "--dataset 'nonsense'"},
        BadTraining{"train --dataset idx:/nowhere", "/nowhere"},
        BadTraining{"train --dataset digits --model huge", "'huge'"},
        BadTraining{"train --optimizer lbfgs", "--optimizer 'lbfgs'"},
        BadTraining{"train --clipping ghost", "--clipping 'ghost'"},
        BadTraining{"train --delta 2", "--delta '2'"},
        BadTraining{"train --target-epsilon 1 --noise-multiplier 1", "--target-epsilon"},
        BadTraining{"train --device cuda", "--device 'cuda'"},
        BadTraining{"train --weights /nowhere.pt", "--weights '/nowhere.pt'"},
        BadTraining{"train --schema /nowhere.json", "--schema '/nowhere.json'"},
        BadTraining{"train --threads 100000", "--threads '100000'"},
        BadTraining{"train --seed 1.5", "--seed '1.5'"},
        BadTraining{"train --dataset idx:/usr/share/datasets/fashion-mnist", "--classes"},
        BadTraining{"train --dataset digits --freeze nothing", "'nothing'"},
        BadTraining{"train --dataset digits --weights /dev/null", "/dev/null"},
        BadTraining{"train --dataset digits --sampling shuffled --adjacency add-remove",
                    "shuffled"},
        BadTraining{
            "train --dataset digits --gradients graph --sampling none --adjacency add-remove",
            "zero-out"},
        BadTraining{"train --dataset digits --model lip-mlp --method clipless --sampling none "
                    "--adjacency add-remove",
                    "zero-out"},
        BadTraining{"train --dataset digits --classes 5",
                    "--classes: only with --dataset idx:DIR; got digits"},
        BadTraining{"train --disable-dp --noise-multiplier 1",
                    "--noise-multiplier: only with privacy, which --disable-dp turns off"},
        BadTraining{"train --disable-dp --max-physical-batch-size 8", "--max-physical-batch-size"},
        BadTraining{"train --sampling none --batch-size 100", "--batch-size: only with --sampling"},
        BadTraining{"train --method clipless --loss kr --margin 2", "--margin: only with"},
        BadTraining{"train --seed 1 --insecure-seed 2", "--seed and --insecure-seed"},
        BadTraining{"train --resume", "expected an existing folder"},
        BadTraining{"train --resume --lr 3", "--learning-rate"}));

TEST_F(TrainCommandTest, BadOutputFolders) {
  std::ofstream(path("file")) << "x";
  EXPECT_EQ(run_program(quick("file")).status, 2);
  EXPECT_EQ(run_program(quick("file/below")).status, 2);
  EXPECT_EQ(run_program("train --dataset digits --output /proc/nothing").status, 2);
  EXPECT_EQ(read_file(folder.path() / "file"), "x");
  ASSERT_EQ(run_program(quick("run")).status, 0);
  EXPECT_EQ(run_program(quick("run")).status, 2);  // never over an existing run
}

TEST_F(TrainCommandTest, DataCommands) {
  EXPECT_EQ(run_program("data list --json").json()["data_sets"].size(), 4U);
  EXPECT_EQ(run_program("data check fashion-mnist --json").json()["ok"], true);
  EXPECT_EQ(run_program("data get digits").status, 2);
  EXPECT_EQ(run_program("data explode").status, 2);
  EXPECT_EQ(run_program("data show").status, 2);
}

}  // namespace
}  // namespace sotto::cli
