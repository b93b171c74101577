#include "sweep/sweep_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include "core/memory_size.h"
#include "sotto/core/error.h"
#include "sweep/result_files.h"
#include "sweep/train_flags.h"
#include "tests/core/temporary_folder.h"
#include "tests/sweep/run_folders.h"

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
    write_result(folder.run(run), accuracy, epsilon);
    folder.write_outcome(run, {.status = RunStatus::kFinished});
  }

  static SweepPlan plan(std::size_t values, std::int64_t repeats = 1) {
    SweepSettings settings;
    settings.flags = {{"model", {}}};
    for (std::size_t i = 0; i < values; ++i) {
      settings.flags[0].values.push_back(std::to_string(i));
    }
    settings.repeats = repeats;
    return SweepPlan(settings);
  }

  SweepSummary summary(std::size_t values, std::int64_t repeats = 1) const {
    return summarise(plan(values, repeats), folder);
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

TEST_F(SummaryTest, OneRunThatHasNoPriceLeavesNoneForTheChoice) {
  finish(0, 0.8, 1);
  finish(1, 0.7, 1);
  std::filesystem::remove_all(folder.run(1));
  const auto result = summary(2);
  EXPECT_EQ(result.best, 0U);
  EXPECT_EQ(result.count(RunStatus::kFinished), 2U);
  EXPECT_EQ(result.tuning.basis, TuningBasis::kUnbounded);
  EXPECT_THAT(result.tuning.statement, HasSubstr("run-0002: its folder cannot be read: "));
}

// Whatever became of the other files that tell of it.
TEST_F(SummaryTest, ChoosingByHeldOutPrivateRecordsHasNoPrice) {
  for (const char* name : {"held_out.jsonl", "held_out.json"}) {
    for (const bool finished : {true, false}) {
      finish(0, 0.8, 1);
      if (!finished) {
        std::filesystem::remove(folder.run(0) / "privacy.json");
        folder.write_outcome(0, {.status = RunStatus::kFailed});
      }
      std::ofstream(folder.run(0) / name) << "{}\n";
      const auto result = summary(1);
      EXPECT_EQ(result.tuning.epsilon, kInfinity) << name << finished;
      EXPECT_THAT(result.runs[0].charge.unbounded, HasSubstr("give public test rows")) << name;
      std::filesystem::remove(folder.run(0) / name);
    }
  }
}

TEST_F(SummaryTest, OutcomesComeBackAsTheyWere) {
  RunOutcome outcome;
  outcome.status = RunStatus::kFailed;
  outcome.seconds = 1.5;
  outcome.peak_memory = 12345;
  outcome.message = "why";
  folder.write_outcome(3, outcome);
  const auto read = folder.read_outcome(3);
  EXPECT_EQ(read.status, RunStatus::kFailed);
  EXPECT_EQ(read.seconds, 1.5);
  EXPECT_EQ(read.peak_memory, 12345U);
  EXPECT_EQ(read.message, "why");
}

// They also held what the run had reached.
TEST_F(SummaryTest, OutcomesOfEarlierVersionsAreRead) {
  std::ofstream(folder.record(0)) << R"({"status": "finished", "accuracy": 0.1, "loss": null,
      "epsilon": "Infinity", "delta": 1e-5, "seconds": 9.5, "peak_memory_bytes": 1234})";
  write_result(folder.run(0), 0.8, 2);
  const auto result = summary(1);
  EXPECT_EQ(result.configurations[0].accuracy->mean, 0.8);
  EXPECT_EQ(result.epsilon_of_best(), 2);
  EXPECT_EQ(result.runs[0].seconds(), 2.5);
  EXPECT_EQ(result.runs[0].outcome.peak_memory, 1234U);
}

// Others read these files by their keys and columns.
TEST_F(SummaryTest, FilesKeepTheirKeysAndColumns) {
  finish(0, 0.8, 2);
  folder.write_outcome(
      1, {.status = RunStatus::kFailed, .seconds = 1.5, .peak_memory = 7, .message = "why, then"});
  finish(2, 0.7, kInfinity);
  const auto result = summary(4);
  const auto runs = summary_json(plan(4), result, folder)["runs"];
  EXPECT_EQ(runs[0].dump(),
            R"({"run":"run-0001","configuration":1,"repeat":1,"status":"finished","accuracy":0.8,)"
            R"("loss":0.5,"epsilon":2.0,"delta":1e-05,"seconds":2.5,"peak_memory_bytes":0})");
  EXPECT_EQ(runs[1].dump(),
            R"({"run":"run-0002","configuration":2,"repeat":1,"status":"failed","accuracy":null,)"
            R"("loss":null,"epsilon":0.0,"delta":null,"seconds":1.5,"peak_memory_bytes":7,)"
            R"("message":"why, then"})");
  EXPECT_EQ(results_csv(plan(4), result),
            "run,configuration,repeat,model,status,epsilon,delta,accuracy,loss,seconds,"
            "peak_memory_bytes,message\n"
            "run-0001,1,1,0,finished,2,1e-05,0.8,0.5,2.5,0,\n"
            "run-0002,2,1,1,failed,0,,,,1.5,7,\"why, then\"\n"
            "run-0003,3,1,2,finished,Infinity,,0.7,0.5,2.5,0,\n"
            "run-0004,4,1,3,pending,0,,,,0,0,\n");
}

// With the best model the statement is published, and the number of runs must stay secret.
TEST_F(SummaryTest, TheStatementIsTheSameWhateverNumberWasDrawn) {
  SweepSettings settings;
  settings.flags = {{"model", {"a", "b", "c"}}};
  settings.draw = RandomCount(RunsDistribution::kGeometric, 3);
  std::set<std::size_t> drawn;
  std::set<std::string> statements;
  for (int i = 0; i < 12 || drawn.size() < 2; ++i) {
    const SweepPlan some(settings);
    drawn.insert(some.runs());
    for (std::size_t run = 0; run < some.runs(); ++run) finish(run, 0.8, 1);
    statements.insert(summarise(some, folder).tuning.statement);
  }
  EXPECT_EQ(statements.size(), 1U);
}

TEST_F(SummaryTest, SaysWhatTheChoicePromisesToAPerson) {
  finish(0, 0.7, 1);
  EXPECT_EQ(summary(1).tuning.limits, "");
  runs::edit_json(folder.run(0) / "config.json", [](auto& config) {
    config["schema_text"] = R"({"label": "y", "classes": ["a", "b"], "person": "patient",
                                "columns": {"age": {"low": 0, "high": 1}}})";
  });
  EXPECT_THAT(summary(1).tuning.limits,
              HasSubstr("column 'patient' as the person, but ε protects"));
  EXPECT_EQ(summary_json(plan(1), summary(1), folder)["tuning"]["limits"],
            summary(1).tuning.limits);
  finish(1, 0.8, kInfinity);
  EXPECT_EQ(summary(2).tuning.limits, "") << "nothing is promised to anybody";
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
