#include "sweep/sweep_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/memory_size.h"
#include "sotto/core/error.h"
#include "sweep/train_flags.h"
#include "tests/core/temporary_folder.h"

namespace sotto::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Spread, IsMeanAndSampleDeviation) {
  EXPECT_FALSE(spread_of({}).has_value());
  EXPECT_EQ(spread_of({3})->mean, 3);
  EXPECT_FALSE(spread_of({3})->deviation.has_value());
  const auto spread = spread_of({1, 2, 6});
  EXPECT_EQ(spread->mean, 3);
  EXPECT_NEAR(*spread->deviation, std::sqrt(7), 1e-12);
  EXPECT_TRUE(std::isinf(spread_of({1, kInfinity})->mean));
}

class SummaryTest : public testing::Test {
 protected:
  void finish(std::size_t run, double accuracy, double epsilon) const {
    RunOutcome record;
    record.status = RunStatus::kFinished;
    record.accuracy = accuracy;
    record.epsilon = epsilon;
    record.delta = 1e-5;
    folder.write_outcome(run, record);
  }

  SweepSummary summary(std::size_t values, std::int64_t repeats = 1) const {
    SweepSettings settings;
    settings.flags = {{"model", {}}};
    for (std::size_t i = 0; i < values; ++i) {
      settings.flags[0].values.push_back(std::to_string(i));
    }
    settings.repeats = repeats;
    return summarise(SweepPlan(settings), folder);
  }

  TemporaryFolder temporary;
  SweepFolder folder = [this] {
    const SweepFolder made(temporary / "sweep");
    made.make();
    return made;
  }();
};

TEST_F(SummaryTest, TheFrontHasWhatNothingElseBeats) {
  const double points[][2] = {{0.8, 2},   {0.7, 1}, {0.75, 2},
                              {0.7, 1.5}, {0.9, 4}, {0.95, kInfinity}};
  for (std::size_t i = 0; i < 6; ++i) finish(i, points[i][0], points[i][1]);
  const auto result = summary(6);
  EXPECT_THAT(result.pareto, ElementsAre(1, 0, 4));
  EXPECT_EQ(result.best, 4U) << "not the one without privacy";
  EXPECT_EQ(result.epsilon_of_best(), 4);
}

TEST_F(SummaryTest, ConfigurationsAreJudgedByTheirMean) {
  finish(0, 0.6, 1);
  finish(1, 0.7, 1);
  finish(2, 0.9, 1);  // the first one's second run
  finish(3, 0.7, 1);
  const auto result = summary(2, 2);
  EXPECT_EQ(result.best, 0U);
  EXPECT_EQ(result.configurations[0].best_run, 2U);
  EXPECT_NEAR(*result.configurations[0].accuracy->deviation, 0.3 / std::sqrt(2), 1e-12);
  EXPECT_NEAR(*result.configurations[1].accuracy->deviation, 0, 1e-12);
}

TEST_F(SummaryTest, NothingFinishedIsNoBest) {
  const auto result = summary(2);
  EXPECT_FALSE(result.best.has_value());
  EXPECT_EQ(result.count(RunStatus::kPending), 2U);
  EXPECT_EQ(result.tuning.basis, TuningBasis::kNothing);
}

TEST_F(SummaryTest, ChoosingByHeldOutPrivateRecordsHasNoPrice) {
  finish(0, 0.8, 1);
  std::filesystem::create_directories(folder.run(0));
  std::ofstream(folder.run(0) / "held_out.jsonl") << "{}\n";
  const auto result = summary(1);
  EXPECT_EQ(result.tuning.epsilon, kInfinity);
  EXPECT_THAT(result.charges[0].unbounded, HasSubstr("give public test rows"));
}

TEST_F(SummaryTest, RecordsComeBackAsTheyWere) {
  RunOutcome record;
  record.status = RunStatus::kFailed;
  record.seconds = 1.5;
  record.peak_memory = 12345;
  record.message = "why";
  folder.write_outcome(3, record);
  const auto read = folder.read_outcome(3);
  EXPECT_EQ(read.status, RunStatus::kFailed);
  EXPECT_EQ(read.seconds, 1.5);
  EXPECT_EQ(read.peak_memory, 12345U);
  EXPECT_EQ(read.message, "why");
  EXPECT_FALSE(read.accuracy.has_value());
}

TEST(FinishedRecord, ReadsWhatTrainingPrints) {
  const auto record = finished_outcome(
      R"({"test_accuracy": 0.5, "test_loss": null, "epsilon": 2.5, "delta": 1e-5, "private": true,
          "seconds": 3})");
  EXPECT_EQ(record.accuracy, 0.5);
  EXPECT_FALSE(record.loss.has_value());
  EXPECT_EQ(record.epsilon, 2.5);
  // A known seed: the number says nothing.
  EXPECT_EQ(
      finished_outcome(R"({"test_accuracy": 0.5, "test_loss": 1, "epsilon": 2.5, "delta": 1e-5,
                                "private": false, "seconds": 3})")
          .epsilon,
      kInfinity);
  EXPECT_THROW(finished_outcome(""), InvalidArgument);
  EXPECT_THROW(finished_outcome("{}"), InvalidArgument);
}

TEST(MemorySize, ReadsWhatPeopleWrite) {
  EXPECT_EQ(memory_size("4GiB"), std::uint64_t{4} << 30U);
  EXPECT_EQ(memory_size("512 MiB"), std::uint64_t{512} << 20U);
  EXPECT_EQ(memory_size("1.5GB"), 1'500'000'000U);
  EXPECT_EQ(memory_size("1e9"), 1'000'000'000U);
  for (const auto* text : {"", "GiB", "4 Gib", "-1GiB", "0", "nan", "1e30", "4GiB "}) {
    EXPECT_THROW(memory_size(text), InvalidArgument) << text;
  }
  EXPECT_EQ(memory_text(3 << 20U), "3 MiB");
  EXPECT_EQ(memory_text(std::uint64_t{3} << 29U), "1.50 GiB");
  EXPECT_GT(available_memory(), 0U);
}

TEST(TrainFlags, AreThoseOfTheSettingsTable) {
  const TrainFlags flags;
  EXPECT_EQ(flags.find("--lr", "x").name, "learning-rate");
  EXPECT_EQ(flags.find("-b", "x").name, "batch-size");
  EXPECT_TRUE(flags.find("--freeze", "x").takes_value);
  EXPECT_FALSE(flags.find("--disable-dp", "x").takes_value);
  for (const auto* name : {"--fake", "--threads", "--help", "lr"}) {
    EXPECT_THROW(flags.find(name, "x"), InvalidArgument) << name;
  }
  try {
    flags.find("--fake", "file: fake");
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("file: fake: sotto train has no such flag"));
  }
}

}  // namespace
}  // namespace sotto::sweep
