// `sotto sweep` over real training.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "sotto/accounting/privacy_cost.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SweepTrainTest, TrainsAndPricesTheChoice) {
  const TemporaryFolder folder;
  const std::string arguments =
      "sweep --dataset digits --model softmax --batch-size 500 --epochs 1 "
      "--noise-multiplier 1,2 --learning-rate 0.5 --json --output " +
      (folder / "sweep").string();
  const auto outcome = run_program(arguments);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(json["finished"], 2);
  EXPECT_GT(json["best"]["accuracy"]["mean"].get<double>(), 0.3);
  accounting::Composition both;  // 10000 digits, 20 steps each
  both.add(accounting::PoissonGaussianEvent(0.05, 1), 20);
  both.add(accounting::PoissonGaussianEvent(0.05, 2), 20);
  EXPECT_NEAR(json["epsilon_of_tuning"].get<double>(),
              accounting::cost_at_delta(both, accounting::Neighbours(), 1e-5).epsilon, 1e-9);
  EXPECT_GT(json["epsilon_of_tuning"].get<double>(), json["epsilon_of_best"].get<double>());
  // Whoever gets the best model must not learn which run it was, nor take its own ε for all.
  const auto run = folder / "sweep" / "run-0002";
  const auto explained = run_program("explain " + run.string()).out;
  const auto page = read_file(run / "report.html");
  for (const auto& text : {read_file(run / "privacy.md"), read_file(run / "privacy.json"), page}) {
    EXPECT_THAT(text, HasSubstr("one of several on the same records"));
    EXPECT_THAT(text, Not(HasSubstr("run-0002")));
  }
  EXPECT_THAT(explained, HasSubstr("one of several"));
  EXPECT_THAT(page, HasSubstr("One of several runs"));
}

TEST(SweepTrainTest, ThePersonOfTheSchemaIsToldWhatIsProtected) {
  const TemporaryFolder folder;
  std::string rows = "patient,age,ill\n";
  for (int i = 0; i < 200; ++i) {
    rows +=
        std::to_string(i / 2) + ',' + std::to_string(i % 50) + (i % 2 == 0 ? ",no\n" : ",yes\n");
  }
  write_file_atomically(folder / "visits.csv", rows);
  write_file_atomically(folder / "schema.json", R"({"label": "ill", "classes": ["no", "yes"],
      "person": "patient", "columns": {"age": {"low": 0, "high": 50}}})");
  const std::string arguments = "sweep --dataset csv:" + (folder / "visits.csv").string() +
                                " --schema " + (folder / "schema.json").string() + " --test-data " +
                                (folder / "public.csv").string() +
                                " --batch-size 50 --epochs 1 --noise-multiplier 2,3 --json ";
  write_file_atomically(folder / "public.csv", "patient,age,ill\n1,20,no\n2,31,yes\n");
  const auto outcome = run_program(arguments + "--output " + (folder / "rows").string());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, testing::StartsWith("WARNING: the schema names column 'patient'"));
  EXPECT_THAT(outcome.err, HasSubstr("--group-size K promises"));
  EXPECT_EQ(outcome.err.find("WARNING", 1), std::string::npos) << "once: " << outcome.err;
  EXPECT_THAT(outcome.json()["tuning"]["limits"].get<std::string>(),
              HasSubstr("ε protects one row"));
  const auto groups =
      run_program(arguments + "--group-size 2 --output " + (folder / "groups").string());
  ASSERT_EQ(groups.status, 0) << groups.err;
  EXPECT_THAT(groups.err, Not(HasSubstr("WARNING")));
  EXPECT_THAT(groups.json()["tuning"]["limits"].get<std::string>(),
              HasSubstr("(column 'patient') as long as nobody has more than 2 records"));
}

TEST(SweepTrainTest, ABadValueIsToldAsTrainingWould) {
  const TemporaryFolder folder;
  const auto outcome = run_program("sweep --dataset digits --optimizer sgd,fast --output " +
                                   (folder / "sweep").string() + " --epochs 1 --model softmax");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("configuration 2"));
  EXPECT_THAT(outcome.err, HasSubstr("--optimizer 'fast': expected"));
  EXPECT_FALSE(std::filesystem::exists(folder / "sweep"));
}

}  // namespace
}  // namespace sotto::cli
