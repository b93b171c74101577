// evaluate and predict on data that do not fit the model.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

class UnfitDataTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  void write_schema(const std::string& name, const std::string& classes) const {
    write(name, R"({"label": "y", "classes": )" + classes +
                    R"(, "columns": {"x": {"low": 0, "high": 10}}})");
  }
  static void expect_refusal(const Outcome& outcome, const std::string& reason) {
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
  }
  TemporaryFolder folder;
};

TEST_F(UnfitDataTest, ClassesAreComparedByNameWhereBothHaveNames) {
  std::string rows = "x,y\n";
  std::string numbered = rows;
  for (int i = 0; i < 60; ++i) {
    const auto x = std::to_string(i % 10);
    rows += x + (i % 10 > 4 ? ",yes\n" : ",no\n");
    numbered += x + (i % 10 > 4 ? ",1\n" : ",0\n");
  }
  write("rows.csv", rows);
  write("numbered.csv", numbered);
  write_schema("schema.json", R"(["no", "yes"])");
  write_schema("swapped.json", R"(["yes", "no"])");
  write_schema("numbered.json", R"(["0", "1"])");
  const auto trained =
      run_program("train --dataset csv:" + path("rows.csv") + " --schema " + path("schema.json") +
                  " --model softmax --batch-size 20 --epochs 1 --output " + path("run"));
  ASSERT_EQ(trained.status, 0) << trained.err;
  const std::string evaluate = "evaluate " + path("run") + " --dataset csv:";
  write("public.csv", rows);
  const std::string rows_file = path("rows.csv") + " --test-data " + path("public.csv");
  expect_refusal(run_program(evaluate + path("rows.csv") + " --test-data " + path("rows.csv")),
                 "the private rows themselves");
  EXPECT_EQ(run_program(evaluate + rows_file).status, 0);
  expect_refusal(run_program(evaluate + rows_file + " --schema " + path("swapped.json")),
                 "its class 0 is 'yes', the model's is 'no'");
  // Numbers stand for classes without names.
  const auto outcome = run_program(evaluate + path("numbered.csv") + " --test-data " +
                                   path("numbered.csv") + " --schema " + path("numbered.json"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(UnfitDataTest, BrokenImagesAreRefusedWithAReason) {
  ASSERT_EQ(run_program("train --dataset digits --model softmax --batch-size 500 --epochs 1 "
                        "--output " +
                        path("run"))
                .status,
            0);
  write("broken.png", "\x89PNG\r\n\x1a\n and then nothing of the kind");
  const auto outcome = run_program("predict " + path("run") + " " + path("broken.png"));
  expect_refusal(outcome, "broken.png: not a readable PNG file: ");
  EXPECT_EQ(outcome.err.find("file: \n"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace sotto::cli
