// Synthetic data as a user makes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"
#include "tests/gan/small_data.h"

namespace sotto::cli {
namespace {

using testing::HasSubstr;

class GanCommandTest : public testing::Test {
 protected:
  GanCommandTest() { gan::write_small_images(folder / "data", 300, 40); }
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }
  std::string train(const std::string& name, const std::string& flags = "") const {
    return "gan train --dataset idx:" + path("data") + " --classes 2 --width 4 --output " +
           path(name) + " " + flags;
  }
  // The accuracy on held-out rows: charged, noised, and the same however often it is asked for.
  void expect_released_once() const {
    EXPECT_EQ(run_json("run/privacy.json")["held_out"]["delta"], 0);
    const std::string evaluate = "gan evaluate " + path("run") + " -n 200 --epochs 1 --json";
    const auto first = run_program(evaluate).json();
    EXPECT_EQ(first["held_out"]["epsilon"], run_json("run/privacy.json")["epsilon"]);
    EXPECT_EQ(run_program(evaluate).json()["held_out"], first["held_out"]);
    for (const auto* key : {"s_plus_test", "nearest_test"}) EXPECT_FALSE(first.contains(key));
    const auto ledger = read_file(path("run/held_out.jsonl"));
    EXPECT_EQ(std::count(ledger.begin(), ledger.end(), '\n'), 2);  // the plan, and one charge
  }
  // privacy.json remembers the charge, even if the run is gone through again.
  void expect_not_released_again() const {
    const std::string evaluate = "gan evaluate " + path("run") + " -n 200 --epochs 1";
    EXPECT_EQ(run_program("report --force " + path("run")).status, 0);
    const auto shown = run_program("statement --json " + path("run"));
    EXPECT_EQ(shown.status, 0) << shown.out;
    for (const auto* name : {"run/held_out.jsonl", "run/held_out.json"}) {
      std::filesystem::remove(path(name));
    }
    EXPECT_EQ(run_program("statement " + path("run")).status, 1);
    expect_refused(evaluate, "held_out.jsonl: is missing");
    EXPECT_EQ(run_program("gan train --resume --output " + path("run")).status, 0);
    expect_refused(evaluate, "held_out.jsonl: is missing");
    EXPECT_FALSE(std::filesystem::exists(path("run/held_out.jsonl")));
  }
  // Samples and their sheet go over nothing that the generator came from.
  void expect_leaves_its_run_alone() const {
    const auto sample = "gan sample " + path("run") + " -n 5 --force ";
    expect_refused(
        sample + "--output " + path("new") + " --sheet " + path("run/samples-000060.png"),
        "is a file of the run (RUN)");
    expect_refused(sample + "--output " + path("new") + " --sheet " + path("run/generator.pt"),
                   "--sheet '");
    for (const auto* folder_in_use : {"run", "data"}) {
      expect_refused(sample + "--output " + path(folder_in_use), "with files in it");
    }
    expect_refused(sample + "--output " + path("new") + " --sheet " + path("new"),
                   "is what --output writes, too");
    const auto inside = run_program(sample + "--format png --output " + path("new") + " --sheet " +
                                    path("new/sheet.png"));
    EXPECT_EQ(inside.status, 0) << inside.err;
  }
  nlohmann::json run_json(const std::string& name) const {
    return nlohmann::json::parse(read_file(path(name)));
  }
  TemporaryFolder folder;
};

TEST_F(GanCommandTest, TrainsSamplesAndEvaluates) {
  const auto trained = run_program(train("run", "--target-epsilon 5 --fit-steps 60 --json"));
  ASSERT_EQ(trained.status, 0) << trained.err;
  EXPECT_LE(trained.json()["epsilon"].get<double>(), 5);
  EXPECT_TRUE(std::filesystem::exists(path("run/samples-000060.png")));

  const auto drawn = run_program("gan sample " + path("run") + " -n 70 --output " + path("idx") +
                                 " --seed 1 --json");
  ASSERT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_EQ(drawn.json()["samples"], 70);
  EXPECT_TRUE(std::filesystem::exists(path("idx/train-images-idx3-ubyte")));
  EXPECT_TRUE(std::filesystem::exists(path("idx-sheet.png")));
  EXPECT_EQ(run_program("gan sample " + path("run/generator.pt") + " -n 5 --format png --output " +
                        path("png"))
                .status,
            0);
  EXPECT_TRUE(std::filesystem::exists(path("png/0")));
  expect_leaves_its_run_alone();

  const auto judged = run_program("gan evaluate " + path("run") + " -n 200 --epochs 1 --json");
  ASSERT_EQ(judged.status, 0) << judged.err;
  for (const auto* key : {"synthetic_accuracy", "s_plus_test", "s_plus_noise", "s_plus_generated",
                          "nearest_test", "epsilon", "delta"}) {
    EXPECT_TRUE(judged.json()[key].is_number()) << key;
  }
  for (const auto* key : {"real_accuracy", "inception_score", "js_score", "nearest_train"}) {
    EXPECT_FALSE(judged.json().contains(key)) << key;
  }
  EXPECT_FALSE(std::filesystem::exists(path("run/evaluation.private.json")));
  const auto shown =
      run_program("gan evaluate " + path("run") + " -n 200 --epochs 1 --show-private --json");
  EXPECT_FALSE(shown.json().contains("real_accuracy"));
  const auto exact = nlohmann::json::parse(read_file(path("run/evaluation.private.json")));
  for (const auto* key : {"real_accuracy", "inception_score", "js_score", "nearest_train"}) {
    EXPECT_TRUE(exact[key].is_number()) << key;
  }
  const std::string sample = "gan sample " + path("run") + " -n 5 --output " + path("s");
  EXPECT_FALSE(run_program(sample + "1 --json").json().contains("contradictions"));
  std::filesystem::remove(path("run/ledger.jsonl"));
  auto unproved = run_program(sample + "2 --json").json();
  EXPECT_EQ(unproved["epsilon"], "Infinity");
  EXPECT_THAT(unproved["contradictions"].dump(), HasSubstr("is missing"));
  EXPECT_THAT(unproved["privacy"].get<std::string>(),
              testing::AllOf(HasSubstr("NOT PROVED"), testing::Not(HasSubstr("at most e^ε"))));
  EXPECT_THAT(run_program(sample + "3").out,
              testing::AllOf(HasSubstr("NOT PROVED"), testing::Not(HasSubstr("e^ε"))));
  const std::string evaluate = "gan evaluate " + path("run") + " -n 200 --epochs 1";
  EXPECT_EQ(run_program(evaluate + " --json").json()["epsilon"], "Infinity");
  EXPECT_THAT(run_program(evaluate).out,
              testing::AllOf(HasSubstr("is missing"), testing::Not(HasSubstr("promises ε"))));
}

// 120 people; the label does not stand last.
void write_people(const TemporaryFolder& folder) {
  std::string rows = "id,town,ill,age\n";
  for (int i = 0; i < 120; ++i) {
    rows += std::to_string(i) + (i % 3 == 0 ? ",A," : ",B,") + (i % 60 > 30 ? "yes," : "no,") +
            std::to_string(20 + i % 60) + "\n";
  }
  write_file_atomically(folder / "people.csv", rows);
  write_file_atomically(folder / "schema.json",
                        R"({"label": "ill", "classes": ["no", "yes"], "drop": ["id"], "columns": {
                           "age": {"low": 20, "high": 80}, "town": {"categories": ["A", "B"]}}})");
}

TEST_F(GanCommandTest, ADeltaThatPromisesTooLittleIsToldFirst) {
  write_people(folder);
  const auto trained = run_program("gan train --dataset csv:" + path("people.csv") + " --schema " +
                                   path("schema.json") + " --fit-steps 5 --delta 0.1 --output " +
                                   path("run") + " --json");
  ASSERT_EQ(trained.status, 0) << trained.err;
  EXPECT_EQ(trained.err.find("WARNING: δ = 0.1 is not below 1/"), 0U) << trained.err;
}

TEST_F(GanCommandTest, ThePersonOfTheSchemaIsToldWhatIsProtected) {
  write_people(folder);
  auto schema = nlohmann::json::parse(read_file(path("schema.json")));
  schema.erase("drop");
  schema["person"] = "id";
  write_file_atomically(path("schema.json"), schema.dump());
  const std::string train = "gan train --dataset csv:" + path("people.csv") + " --schema " +
                            path("schema.json") + " --held-out-epsilon 0 --json --output ";
  const auto rows = run_program(train + path("rows") + " --fit-steps 5");
  ASSERT_EQ(rows.status, 0) << rows.err;
  EXPECT_EQ(rows.err.find("WARNING: the schema names column 'id' as the person"), 0U) << rows.err;
  EXPECT_THAT(rows.err, HasSubstr("--group-size K promises"));
  EXPECT_THAT(run_json("rows/privacy.json")["statement"]["limits"].get<std::string>(),
              HasSubstr("ε protects one row"));
  const auto persons = run_program(train + path("persons") + " --fit-steps 5 --group-size 2");
  ASSERT_EQ(persons.status, 0) << persons.err;
  EXPECT_EQ(persons.err.find("WARNING"), std::string::npos) << persons.err;
  EXPECT_THAT(run_json("persons/privacy.json")["statement"]["limits"].get<std::string>(),
              HasSubstr("all records of one person (column 'id')"));
}

TEST_F(GanCommandTest, TablesComeBackAsTables) {
  write_people(folder);
  const auto trained =
      run_program("gan train --dataset csv:" + path("people.csv") + " --schema " +
                  path("schema.json") + " --fit-steps 50 --output " + path("run") + " --json");
  ASSERT_EQ(trained.status, 0) << trained.err;
  ASSERT_EQ(run_program("gan sample " + path("run") + " -n 20 --output " + path("new.csv")).status,
            0);
  expect_refused("gan sample " + path("run") + " --force --output " + path("people.csv"),
                 "config.json names (RUN)");
  expect_refused("gan sample " + path("run") + " --force --output " + path("run/generator.pt"),
                 "is a file of the run (RUN)");
  std::istringstream drawn(read_file(path("new.csv")));
  std::string line;
  std::getline(drawn, line);
  EXPECT_EQ(line, "town,ill,age");  // as in the file that was learnt from
  int rows = 0;
  for (; std::getline(drawn, line); ++rows) {
    EXPECT_THAT(line, testing::MatchesRegex("[AB],(yes|no),[0-9]+(\\.[0-9]+)?"));
    const double age = std::stod(line.substr(line.rfind(',') + 1));
    EXPECT_TRUE(age >= 20 && age <= 80) << line;
  }
  EXPECT_EQ(rows, 20);
  expect_released_once();
  expect_not_released_again();
  const auto of_persons = run_program(
      "gan train --dataset csv:" + path("people.csv") + " --schema " + path("schema.json") +
      " --fit-steps 20 --held-out-epsilon 0 --target-epsilon 2 --group-size 4 --json --output " +
      path("persons"));
  ASSERT_EQ(of_persons.status, 0) << of_persons.err;
  EXPECT_LE(of_persons.json()["epsilon"].get<double>(), 2);
  EXPECT_GT(run_json("persons/privacy.json")["plan"]["noise_multiplier"].get<double>(),
            4 * 1.5);  // one record takes more than 1.5 at this ε
  write_file_atomically(path("odd.csv"), "id,age,town,ill\n1,30,Z,no\n2,40,A,yes\n3,50,B,no\n");
  expect_refused("gan train --dataset csv:" + path("odd.csv") + " --schema " + path("schema.json") +
                     " --output " + path("odd"),
                 "is not a category of the schema");
  EXPECT_FALSE(std::filesystem::exists(path("odd")));
}

// Against public rows exactly, against private ones not at all.
TEST_F(GanCommandTest, TablesAreComparedWithPublicRowsOnly) {
  write_people(folder);
  const std::string train = "gan train --dataset csv:" + path("people.csv") + " --schema " +
                            path("schema.json") + " --fit-steps 50 --output ";
  ASSERT_EQ(run_program(train + path("private")).status, 0);
  const std::string evaluate = " -n 200 --epochs 1";
  const auto refused = run_program("gan evaluate " + path("private") + evaluate + " --json").json();
  EXPECT_FALSE(refused.contains("table"));
  EXPECT_THAT(refused["table_refused"].get<std::string>(), HasSubstr("--test-data"));
  EXPECT_EQ(run_program("gan evaluate " + path("private") + evaluate + " --show-private").status,
            0);
  EXPECT_EQ(run_json("private/evaluation.private.json")["table"]["rows"], "training");

  const std::string rows = read_file(path("people.csv"));
  write_file_atomically(path("public.csv"), rows.substr(0, rows.find("60,")));
  ASSERT_EQ(run_program(train + path("open") + " --test-data " + path("public.csv")).status, 0);
  const auto table =
      run_program("gan evaluate " + path("open") + evaluate + " --json").json()["table"];
  EXPECT_EQ(table["rows"], "test");
  EXPECT_EQ(table["real_rows"], 60);
  EXPECT_NEAR(table["numbers"][0]["mean"]["real"].get<double>(), 49.5, 1e-4);
  EXPECT_NEAR(table["categories"][0]["shares"]["A"]["real"].get<double>(), 1.0 / 3, 1e-9);
  EXPECT_EQ(table["pairs"].size(), 3U);
  const auto text = run_program("gan evaluate " + path("open") + evaluate).out;
  for (const auto* words :
       {"against 60 real test rows", "town: A", "age, ill (η)", "town, ill (V)"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
}

TEST_F(GanCommandTest, RefusesBadUsageInOneLine) {
  expect_refused("gan paint", "accepted: train, sample, evaluate");
  expect_refused(train("a", "--method wgan"), "--method 'wgan': expected merf, basic or advanced");
  expect_refused(train("a", "--steps 10"), "--steps: only with --method basic or advanced");
  expect_refused(train("a", "--method basic --fit-steps 10"), "only with --method merf");
  expect_refused(train("a", "--method basic --groups 3"), "only with --method advanced");
  expect_refused(train("a", "--method advanced"), "needs --public-dataset");
  expect_refused(train("a", "--method basic --tolerance 0.1"), "has no analysis here");
  expect_refused(train("a", "--networks dcgan"), "height and width must be from 17 to 32");
  expect_refused(train("a", "--target-epsilon -1"), "--target-epsilon '-1'");
  expect_refused(train("a", "--noise-multiplier 1 --target-epsilon 3"), "give one of them");
  expect_refused(train("a", "--seed 1.5"), "--seed '1.5': expected a whole number");
  expect_refused(train("a", "--image-size 8"), "--image-size: only with --dataset images:DIR; got");
  expect_refused(train("a", "--disable-dp --delta 1e-6"), "--delta: only with privacy");
  expect_refused(train("a", "--networks mlp"), "--width: only with --networks deconv or dcgan");
  expect_refused(train("a", "--show-private"), "--show-private: only with --method basic");
  expect_refused(train("a", "--seed 1 --insecure-seed 2"), "give one of them");
  write_file_atomically(path("text.pt"), "hello");
  expect_refused("gan sample " + path("text.pt"), "not a generator that sotto wrote");
  expect_refused("gan sample " + path("nowhere"), "expected a folder with a generator.pt");
  expect_refused("gan evaluate " + path("nowhere"), "expected the folder of a run");
  EXPECT_FALSE(std::filesystem::exists(path("a")));
}

}  // namespace
}  // namespace sotto::cli
