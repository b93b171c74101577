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
