// Neighbouring data sets through the command line: with equal seeds, all that a run leaves behind
// is equal byte for byte, except numbers that noise was added to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "data/held_out_split.h"
#include "data/png_image.h"
#include "tests/cli/published.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/test_images.h"

namespace sotto::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class NeighboursTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  Published run(const std::string& arguments, const std::string& kept_as) const {
    return run_and_keep(arguments, folder.path(), kept_as);
  }

  TemporaryFolder folder;
};

// Rows were once sent to test by their number (SplitMix64 of it): places of that time.
bool was_a_test_place(std::uint64_t row) {
  std::uint64_t mixed = row / 6 + 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return row % 6 == (mixed ^ (mixed >> 31U)) % 6;
}

class TableNeighboursTest : public NeighboursTest {
 protected:
  TableNeighboursTest() {
    write_file_atomically(
        path("schema.json"),
        R"({"label": "y", "classes": ["no", "yes"], "columns": {"x": {"low": 0, "high": 1000}}})");
  }

  // Every row at a test place of old says yes, every other one no; `first` stands above them.
  void write_table(const std::string& first) const {
    std::string text = "x,y\n" + first;
    for (std::uint64_t i = 0; i < 600; ++i) {
      text += std::to_string(i) + (was_a_test_place(i) ? ",yes\n" : ",no\n");
    }
    write_file_atomically(path("table.csv"), text);
  }

  // A row for the wanted side.
  static std::string extra_row(bool held_out) {
    for (int x = 600;; ++x) {
      const auto text = std::to_string(x);
      if (data::row_is_held_out({text, "no"}) == held_out) return text + ",no\n";
    }
  }

  std::string train(const std::string& flags = "") const {
    return "train --dataset csv:" + path("table.csv") + " --schema " + path("schema.json") +
           " --model softmax --batch-size 100 --epochs 2 --noise-multiplier 1 --threads 1 --json " +
           flags;
  }
};

TEST_F(TableNeighboursTest, AHeldOutRowMovesNothingButNoisedCounts) {
  write_table("");
  const auto without_row = run(train("--insecure-seed 5"), "a");
  write_table(extra_row(/*held_out=*/true));
  const auto with_row = run(train("--insecure-seed 5"), "b");
  EXPECT_EQ(file_names(without_row.folder), file_names(with_row.folder));
  for (const auto* name : {"config.json", "ledger.jsonl", "held_out.jsonl", "privacy.json",
                           "privacy.md", "model.pt"}) {
    expect_same_file(without_row, with_row, name);
  }
  EXPECT_EQ(metrics_without_times(without_row), metrics_without_times(with_row));
  EXPECT_TRUE(page_without_times(without_row.folder) == page_without_times(with_row.folder));
  for (const auto* name : {"held_out.json", "evaluation.json"}) {
    expect_same_words(without_row, with_row, name);
  }
  EXPECT_EQ(without_numbers(without_row.outcome.out), without_numbers(with_row.outcome.out));
  EXPECT_EQ(without_numbers(without_row.outcome.err), without_numbers(with_row.outcome.err));
}

// The number of training records is public: it is all that may differ besides noised numbers.
TEST_F(TableNeighboursTest, ATrainingRowMovesTheNumberOfRecordsAndNoisedNumbers) {
  write_table("");
  const auto without_row = run(train("--insecure-seed 5"), "a");
  write_table(extra_row(/*held_out=*/false));
  const auto with_row = run(train("--insecure-seed 5"), "b");
  EXPECT_EQ(file_names(without_row.folder), file_names(with_row.folder));
  expect_same_file(without_row, with_row, "config.json");
  expect_same_file(without_row, with_row, "held_out.jsonl");
  std::vector<json> privacy;
  for (const auto* published : {&without_row, &with_row}) {
    auto object = json::parse(read_file(published->folder / "privacy.json"));
    object.erase("ledger_hash");
    object["held_out"].erase("ledger_hash");
    object["plan"].erase("dataset_size");
    object["plan"].erase("sample_rate");
    object["plan"].erase("held_out_epsilon");  // what a plan of so many records costs
    privacy.push_back(object);
  }
  EXPECT_EQ(privacy[0], privacy[1]);
  EXPECT_TRUE(page_without_times(without_row.folder) == page_without_times(with_row.folder));
  for (const auto* name : {"evaluation.json", "metrics.jsonl"}) {
    expect_same_words(without_row, with_row, name);
  }
}

TEST_F(TableNeighboursTest, AGeneratorDoesNotMoveByAHeldOutRow) {
  const std::string gan = "gan train --dataset csv:" + path("table.csv") + " --schema " +
                          path("schema.json") + " --fit-steps 20 --insecure-seed 5 --json";
  write_table("");
  const auto without_row = run(gan, "a");
  write_table(extra_row(/*held_out=*/true));
  const auto with_row = run(gan, "b");
  EXPECT_EQ(file_names(without_row.folder), file_names(with_row.folder));
  for (const auto& name : file_names(without_row.folder)) {
    expect_same_file(without_row, with_row, name);
  }
}

TEST_F(TableNeighboursTest, EvaluateGivesTheReleaseAgainAndNothingExact) {
  write_table("");
  const auto trained = run(train(), "run");
  const auto released = json::parse(read_file(path("run/held_out.json")));
  EXPECT_EQ(trained.outcome.json()["held_out"], released);
  const auto evaluated = run_program("evaluate " + path("run") + " --json");
  ASSERT_EQ(evaluated.status, 0) << evaluated.err;
  EXPECT_EQ(evaluated.json()["held_out"], released);
  for (const auto* key : {"confusion", "test_loss", "samples", "auc", "calibration", "per_class"}) {
    EXPECT_FALSE(evaluated.json().contains(key)) << key;
  }
  EXPECT_THAT(run_program("evaluate " + path("run")).out, HasSubstr("with noise"));
  expect_refused("evaluate " + path("run") + " --dataset csv:" + path("table.csv"),
                 "--test-data FILE");
  EXPECT_FALSE(fs::exists(path("run/evaluation.private.json")));
  const auto shown = run_program("evaluate " + path("run") + " --show-private --json");
  EXPECT_EQ(shown.json()["private_file"], path("run/evaluation.private.json"));
  EXPECT_FALSE(shown.json().contains("confusion"));
  const auto exact = json::parse(read_file(path("run/evaluation.private.json")));
  EXPECT_EQ(exact["confusion"].size(), 2U);
  const auto page = run_program("report " + path("run") + " --show-private --json").json();
  EXPECT_EQ(page["report"], path("run/report.private.html"));
  expect_refused("report " + path("run") + " --show-private --output " + path("page.html"),
                 "must contain \"private\"");
}

TEST_F(TableNeighboursTest, ASweepDoesNotChooseByHeldOutRows) {
  write_table("");
  const auto outcome = run_program(
      "sweep --dataset csv:" + path("table.csv") + " --schema " + path("schema.json") +
      " --model softmax --batch-size 100 --epochs 1 --noise-multiplier 1,2 --json --output " +
      path("sweep"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["epsilon_of_tuning"], "Infinity");
  EXPECT_THAT(outcome.out, HasSubstr("public test rows"));
}

TEST_F(TableNeighboursTest, WhatHeldOutRowsHaveNoAnalysisForIsRefused) {
  write_table("");
  const std::string output = " --output " + path("run");
  expect_refused(train("--adjacency replace-one" + output), "--test-data FILE");
  expect_refused(train("--held-out-epsilon -1" + output), "--held-out-epsilon '-1'");
  fs::copy_file(path("table.csv"), path("public.csv"));
  expect_refused(train("--held-out-epsilon 1 --test-data " + path("public.csv") + output),
                 "--held-out-epsilon");
  expect_refused("train --dataset digits --held-out-epsilon 1" + output, "--held-out-epsilon");
  EXPECT_FALSE(fs::exists(path("run")));
}

// How many samples fit would follow the number of records.
TEST_F(TableNeighboursTest, AMemoryLimitIsRefusedUnderAddRemove) {
  write_table("");
  const std::string limit = "--held-out-epsilon 0 --memory-limit 4GB --adjacency ";
  expect_refused(train(limit + "add-remove --output " + path("run")), "--memory-limit");
  EXPECT_EQ(run(train(limit + "zero-out"), "limited").outcome.status, 0);
}

class ImageNeighboursTest : public NeighboursTest {
 protected:
  ImageNeighboursTest() {
    for (int i = 0; i < 60; ++i) {
      put("cat/" + std::to_string(i) + ".png", static_cast<char>(10 + i));
      put("dog/" + std::to_string(i) + ".png", static_cast<char>(60 + i));
    }
  }
  void put(const std::string& name, char grey) const {
    const fs::path file = folder / "pictures" / name;
    fs::create_directories(file.parent_path());
    write_file_atomically(file, data::encode_png(data::plain_image(8, 8, std::string(1, grey))));
  }
  // The only member of its class, on the wanted side.
  static std::string only_member(bool held_out) {
    for (int i = 0;; ++i) {
      const auto name = "rare/" + std::to_string(i) + ".png";
      if (data::file_is_held_out(name) == held_out) return name;
    }
  }
  std::string train(const std::string& flags) const {
    return "train --dataset images:" + path("pictures") +
           " --image-size 8 --model softmax --batch-size 20 --epochs 1 --noise-multiplier 1 "
           "--threads 1 --json --insecure-seed 5 " +
           flags;
  }
};

TEST_F(ImageNeighboursTest, AClassDoesNotExistBecauseOfItsOnlyMember) {
  const auto none = run(train("--class-names cat,dog,rare"), "none");
  put(only_member(/*held_out=*/true), 'h');
  const auto held_out = run(train("--class-names cat,dog,rare"), "held out");
  fs::remove_all(folder / "pictures/rare");
  put(only_member(/*held_out=*/false), 't');
  const auto trained = run(train("--class-names cat,dog,rare"), "trained");
  fs::remove(folder / "pictures" / only_member(/*held_out=*/false));
  const auto empty = run(train("--class-names cat,dog,rare"), "empty");
  expect_same_file(none, held_out, "model.pt");
  expect_same_file(none, empty, "model.pt");
  for (const auto* other : {&held_out, &trained, &empty}) {
    expect_same_file(none, *other, "config.json");
    EXPECT_EQ(without_numbers(none.outcome.err), without_numbers(other->outcome.err));
    EXPECT_EQ(without_numbers(none.outcome.out), without_numbers(other->outcome.out));
    const auto evaluated = run_program("evaluate \"" + other->folder.string() + "\" --json");
    EXPECT_EQ(evaluated.json()["classes"], json({"cat", "dog", "rare"})) << evaluated.err;
  }
}

TEST_F(ImageNeighboursTest, ClassesMustBeDeclared) {
  const std::string output = "--output " + path("run");
  expect_refused(train(output), "--class-names must list the classes");
  expect_refused(train("--class-names cat,cow " + output), "--class-names does not list");
  expect_refused(train("--class-names cat " + output), "--class-names 'cat'");
  expect_refused(train("--class-names cat,cat " + output), "--class-names 'cat,cat'");
  expect_refused(train("--class-names @/nowhere " + output), "--class-names '@/nowhere'");
  expect_refused("data show images:" + path("pictures"), "--class-names");
  EXPECT_FALSE(fs::exists(path("run")));
  write_file_atomically(path("names"), "cat\n\ndog\r\n");
  EXPECT_EQ(run(train("--class-names @" + path("names")), "kept").outcome.status, 0);
}

}  // namespace
}  // namespace sotto::cli
