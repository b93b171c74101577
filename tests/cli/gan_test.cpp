// Synthetic data as a user makes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

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
}

TEST_F(GanCommandTest, TablesComeBackAsTables) {
  std::string rows = "age,town,ill\n";
  for (int i = 0; i < 120; ++i) {
    rows += std::to_string(20 + i % 60) + (i % 3 == 0 ? ",A," : ",B,") +
            (i % 60 > 30 ? "yes\n" : "no\n");
  }
  write_file_atomically(path("people.csv"), rows);
  write_file_atomically(path("schema.json"),
                        R"({"label": "ill", "classes": ["no", "yes"], "columns": {
                           "age": {"low": 0, "high": 100}, "town": {"categories": ["A", "B"]}}})");
  const auto trained =
      run_program("gan train --dataset csv:" + path("people.csv") + " --schema " +
                  path("schema.json") + " --fit-steps 50 --output " + path("run") + " --json");
  ASSERT_EQ(trained.status, 0) << trained.err;
  ASSERT_EQ(run_program("gan sample " + path("run") + " -n 20 --output " + path("new.csv")).status,
            0);
  EXPECT_EQ(read_file(path("new.csv")).substr(0, 13), "age,town,ill\n");
  expect_released_once();
  const auto of_persons = run_program(
      "gan train --dataset csv:" + path("people.csv") + " --schema " + path("schema.json") +
      " --fit-steps 20 --held-out-epsilon 0 --target-epsilon 2 --group-size 4 --json --output " +
      path("persons"));
  ASSERT_EQ(of_persons.status, 0) << of_persons.err;
  EXPECT_LE(of_persons.json()["epsilon"].get<double>(), 2);
  EXPECT_GT(run_json("persons/privacy.json")["plan"]["noise_multiplier"].get<double>(),
            4 * 1.5);  // one record takes more than 1.5 at this ε
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](char c) { return c == '\n'; }), 121);
  write_file_atomically(path("odd.csv"), "age,town,ill\n30,Z,no\n40,A,yes\n50,B,no\n");
  expect_refused("gan train --dataset csv:" + path("odd.csv") + " --schema " + path("schema.json") +
                     " --output " + path("odd"),
                 "is not a category of the schema");
  EXPECT_FALSE(std::filesystem::exists(path("odd")));
}

TEST_F(GanCommandTest, RefusesBadUsageInOneLine) {
  expect_refused("gan paint", "accepted: train, sample, evaluate");
  expect_refused(train("a", "--method wgan"), "--method 'wgan': expected merf, basic or advanced");
  expect_refused(train("a", "--steps 10"), "--steps: only with --method basic or advanced");
  expect_refused(train("a", "--method basic --fit-steps 10"), "only with --method merf");
  expect_refused(train("a", "--method basic --groups 3"), "only with --method advanced");
  expect_refused(train("a", "--method advanced"), "needs --public-dataset");
  expect_refused(train("a", "--networks dcgan"), "height and width must be from 17 to 32");
  expect_refused(train("a", "--target-epsilon -1"), "--target-epsilon '-1'");
  expect_refused(train("a", "--noise-multiplier 1 --target-epsilon 3"), "give one of them");
  expect_refused(train("a", "--seed 1.5"), "--seed '1.5': expected a whole number");
  write_file_atomically(path("text.pt"), "hello");
  expect_refused("gan sample " + path("text.pt"), "not a generator that sotto wrote");
  expect_refused("gan sample " + path("nowhere"), "expected a folder with a generator.pt");
  expect_refused("gan evaluate " + path("nowhere"), "expected the folder of a run");
  EXPECT_FALSE(std::filesystem::exists(path("a")));
}

}  // namespace
}  // namespace sotto::cli
