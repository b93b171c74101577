// Predictions for new rows and pictures, from training to the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "core/atomic_file.h"
#include "data/csv.h"
#include "data/png_image.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/test_images.h"

namespace sotto::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class PredictTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }
  void write(const std::string& name, const std::string& bytes) const {
    write_file_atomically(path(name), bytes);
  }
  std::vector<std::vector<std::string>> table_in(const std::string& name, char separator) const {
    std::istringstream input(read_file(path(name)));
    data::CsvReader reader(input, name, separator);
    std::vector<std::vector<std::string>> rows;
    for (std::vector<std::string> fields; reader.next(fields);) rows.push_back(fields);
    return rows;
  }
  // Rows with all kinds of columns, semicolons and decimal commas; those from 50 on say yes.
  void train_on_table() const {
    write("schema.json", R"({"separator": ";", "decimal": ",", "missing_values": ["NA"],
      "label": "ill", "classes": ["no", "yes"], "ids": ["visit"], "person": "patient",
      "columns": {"x": {"type": "number", "low": 0, "high": 100, "missing": true},
                  "seen": {"type": "date", "low": "2020-01-01", "high": "2020-12-31"},
                  "sex": {"type": "category", "categories": ["f", "m"], "other": true}}})");
    std::string rows = "visit;patient;x;seen;sex;ill\n";
    for (int i = 0; i < 300; ++i) {
      const int x = i * 37 % 100;
      rows += std::to_string(i) + ";P" + std::to_string(i / 2) + ";" + std::to_string(x) +
              ",5;2020-06-15;" + (i % 2 == 0 ? "f" : "\"m\"") + (x < 50 ? ";no\n" : ";yes\n");
    }
    write("rows.csv", rows);
    const auto trained = run_program(
        "train --dataset csv:" + path("rows.csv") + " --schema " + path("schema.json") +
        " --model softmax --batch-size 100 --epochs 30 --disable-dp --learning-rate 1 --output " +
        path("run"));
    ASSERT_EQ(trained.status, 0) << trained.err;
  }

  TemporaryFolder folder;
};

TEST_F(PredictTest, NewRowsGetIdsLabelsAndProbabilities) {
  train_on_table();
  write("new.csv",
        "sex;x;visit;seen;patient\nf;2,5;\"V;1\";2020-06-15;Eve\nm;97,5;V2;2020-06-15;Bob\n"
        "d;NA;V3;1999-01-01;\n");
  const auto call = "predict " + path("run") + " --data " + path("new.csv");
  const auto outcome = run_program(call + " -o " + path("out.csv"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("3 predictions in "));
  const auto rows = table_in("out.csv", ';');
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_THAT(rows[0],
              ElementsAre("visit", "patient", "predicted", "probability_no", "probability_yes"));
  EXPECT_THAT(std::vector(rows[1].begin(), rows[1].begin() + 3), ElementsAre("V;1", "Eve", "no"));
  EXPECT_THAT(std::vector(rows[2].begin(), rows[2].begin() + 3), ElementsAre("V2", "Bob", "yes"));
  const auto json = run_program(call + " --json").json()["predictions"];
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      auto text = rows[i + 1][3 + c];
      EXPECT_THAT(text, testing::MatchesRegex("[01],[0-9]{6}"));
      text[1] = '.';
      const auto name = c == 0 ? "no" : "yes";
      EXPECT_NEAR(json[i]["probabilities"][name].get<double>(), std::stod(text), 1e-6);
      sum += std::stod(text);
    }
    EXPECT_NEAR(sum, 1, 2e-6);
    EXPECT_EQ(json[i]["ids"]["visit"], rows[i + 1][0]);
    EXPECT_EQ(json[i]["label"], rows[i + 1][2]);
  }
  // As before: one line each.
  EXPECT_THAT(run_program("predict " + path("run") + " " + path("new.csv")).out,
              HasSubstr(path("new.csv") + ":2\tyes\n"));
}

TEST_F(PredictTest, TheRunsOwnSchemaCountsAndLabelsAreNotLookedAt) {
  train_on_table();
  const std::string rows = "x;seen;sex;ill\n97,5;2020-06-15;m;nobody knows\n";
  write("new.csv", rows);
  const auto call =
      "predict " + path("run") + " --data " + path("new.csv") + " -o " + path("out.csv");
  ASSERT_EQ(run_program(call).status, 0);
  const auto before = read_file(path("out.csv"));
  EXPECT_THAT(before, testing::StartsWith("row;predicted;probability_no;probability_yes\n1;yes;"));
  expect_refused(call, "exists already");
  write("schema.json", "{}");
  ASSERT_EQ(run_program(call + " --force").status, 0);
  EXPECT_EQ(read_file(path("out.csv")), before);
  write("comma.csv", "x,seen,sex\n97,2020-06-15,m\n");
  expect_refused("predict " + path("run") + " --data " + path("comma.csv"),
                 "separated by commas, but the schema says semicolons");
  expect_refused("predict " + path("run"), "--data is missing");
  expect_refused("predict " + path("run") + " --data " + path("none.csv"), "--data");
}

// After the settings were edited, predictions would change without a word.
TEST_F(PredictTest, EditedSettingsAreRefused) {
  train_on_table();
  write("new.csv", "sex;x;visit;seen;patient\nf;2,5;V1;2020-06-15;Eve\n");
  auto settings = read_file(path("run/config.json"));
  const auto place = settings.find("\\\"high\\\": 100");
  ASSERT_NE(place, std::string::npos) << settings;
  settings.insert(place + std::string("\\\"high\\\": 100").size(), "0");
  write("run/config.json", settings);
  for (const std::string& call : {"predict " + path("run") + " --data " + path("new.csv"),
                                  "evaluate " + path("run") + " --test-data " + path("rows.csv")}) {
    const auto outcome = run_program(call);
    EXPECT_EQ(outcome.status, 2) << call;
    EXPECT_THAT(outcome.err, HasSubstr("config.json: not the file that the run wrote")) << call;
  }
  write("run/config.json", "{");
  EXPECT_EQ(run_program("predict " + path("run") + " --data " + path("new.csv")).status, 2);
}

TEST_F(PredictTest, NeitherTheRunNorItsDataAreOverwritten) {
  train_on_table();
  write("new.csv", "x;seen;sex\n97,5;2020-06-15;m\n");
  const auto data = " --data " + path("new.csv") + " --force -o ";
  const auto model = read_file(path("run/model.pt"));
  for (const auto* given : {"run", "run/model.pt"}) {
    const auto call = "predict " + path(given) + data;
    for (const auto* name : {"run/config.json", "run/checkpoint.pt", "run/privacy.md"}) {
      expect_refused(call + path(name), "is a file of the run (MODEL)");
    }
    for (const auto* name : {"rows.csv", "schema.json"}) {
      expect_refused(call + path(name), "config.json names (MODEL)");
    }
    expect_refused(call + path("run/model.pt"), "(MODEL); expected another file");
    EXPECT_EQ(run_program(call + path("run/predictions.csv")).status, 0);
  }
  EXPECT_EQ(read_file(path("run/model.pt")), model);
}

TEST_F(PredictTest, AFolderOfPictures) {
  ASSERT_EQ(run_program("train --dataset digits --model softmax --batch-size 500 --epochs 1 "
                        "--output " +
                        path("run"))
                .status,
            0);
  std::filesystem::create_directories(folder / "pictures" / "more");
  for (const auto* name : {"b.png", "a.PNG", "more/c, d.png"}) {
    write("pictures/" + std::string(name), data::encode_png(data::ramp_image(28, 28, 1)));
  }
  write("pictures/notes.txt", "no picture");
  write("pictures/.hidden.png", "no picture either");
  const auto outcome = run_program("predict " + path("run") + " --data " + path("pictures") +
                                   "/ -o " + path("out.csv"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto rows = table_in("out.csv", ',');
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].size(), 12U);
  EXPECT_EQ(rows[0][2], "probability_0");
  EXPECT_EQ(rows[1][0], "a.PNG");
  EXPECT_EQ(rows[2][0], "b.png");
  EXPECT_EQ(rows[3][0], "more/c, d.png");
  EXPECT_EQ(rows[1][1], rows[2][1]);
  // Of several folders, each is named.
  const auto both = run_program("predict " + path("run") + " --data " + path("pictures") +
                                " --data " + path("pictures/more") + " -o " + path("both.csv"));
  ASSERT_EQ(both.status, 0) << both.err;
  EXPECT_EQ(table_in("both.csv", ',')[1][0], path("pictures/a.PNG"));
  std::filesystem::create_directories(folder / "empty");
  expect_refused("predict " + path("run") + " --data " + path("empty"), "holds no PNG or JPEG");
}

}  // namespace
}  // namespace sotto::cli
