#include "sotto/accounting/training_run.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/core/error.h"

namespace sotto::accounting {
namespace {

TrainingRunOptions thesis_run() {
  TrainingRunOptions options;
  options.dataset_size = 60000;
  options.batch_size = 64;
  options.noise_multiplier = 1;
  options.epochs = 15;
  return options;
}

TEST(TrainingRun, CountsStepsInIntegers) {
  const TrainingRun run(thesis_run());
  EXPECT_EQ(run.steps(), 14070);  // 15 × ceil(937.5), not ceil(15 × 937.5) = 14063
  EXPECT_DOUBLE_EQ(run.sample_rate(), 64.0 / 60000);
  EXPECT_EQ(run.describe_length(), "14070 steps = 15 epochs × 938 steps (60000 / 64, rounded up)");
}

// int(1/q) loses a step for 93, 99, 105, ...: the inverse of the rounded inverse must come back.
TEST(TrainingRun, StepsPerEpochSurviveTheRoundingOfTheRate) {
  for (std::int64_t batches = 1; batches < 20000; ++batches) {
    ASSERT_EQ(steps_per_epoch(1.0 / static_cast<double>(batches)), batches);
  }
  EXPECT_EQ(steps_per_epoch(0.3), 4);
  EXPECT_EQ(steps_per_epoch(60000, 64), 938);
  EXPECT_EQ(steps_per_epoch(60000, 60), 1000);
}

TEST(TrainingRun, RefusesContradictionsAndGaps) {
  const auto refused = [](auto change) {
    TrainingRunOptions options = thesis_run();
    change(options);
    EXPECT_THROW(TrainingRun{options}, InvalidArgument);
  };
  refused([](auto& o) { o.batch_size = 60001; });
  refused([](auto& o) { o.batch_size = 0; });
  refused([](auto& o) { o.sample_rate = 0.1; });
  refused([](auto& o) { o.batch_size.reset(); });
  refused([](auto& o) { o.steps = 10; });
  refused([](auto& o) { o.epochs.reset(); });
  refused([](auto& o) { o.epochs = 0; });
  refused([](auto& o) { o.epochs = std::int64_t{1} << 62U; });
  refused([](auto& o) { o.noise_multiplier = -1; });
  refused([](auto& o) { o.noise_multiplier = std::nan(""); });
}

TEST(TrainingRun, EventsFollowTheSampling) {
  TrainingRunOptions options = thesis_run();
  const Neighbours zero_out(Adjacency::kZeroOut);
  const auto event_of = [&](Sampling sampling) {
    options.sampling = sampling;
    return TrainingRun(options).composition(zero_out).parts().at(0);
  };
  EXPECT_TRUE(std::holds_alternative<PoissonGaussianEvent>(event_of(Sampling::kPoisson).event));
  EXPECT_TRUE(std::holds_alternative<FixedSizeGaussianEvent>(event_of(Sampling::kFixedSize).event));
  EXPECT_EQ(event_of(Sampling::kNone).count, 14070);
  EXPECT_EQ(event_of(Sampling::kShuffled).count, 15);  // each record once a pass
}

TEST(TrainingRun, APartialPassCountsAsOne) {
  TrainingRunOptions options = thesis_run();
  options.sampling = Sampling::kShuffled;
  options.epochs.reset();
  options.steps = 937 * 2 + 1;  // a loader may drop the last batch: passes of 937 steps
  EXPECT_EQ(TrainingRun(options).composition(Neighbours(Adjacency::kZeroOut)).parts()[0].count, 3);
}

TEST(TrainingRun, DroppedIncompleteBatchesMakeMorePasses) {
  TrainingRunOptions options;
  options.sampling = Sampling::kShuffled;
  options.dataset_size = 100;
  options.batch_size = 60;
  options.noise_multiplier = 1;
  options.steps = 10;
  EXPECT_EQ(TrainingRun(options).passes(), 10);  // one step a pass if the 40 left over are dropped
  options.batch_size = 50;
  EXPECT_EQ(TrainingRun(options).passes(), 5);
}

// Removing a record from a shuffled pass moves all later ones: not a change of norm C.
TEST(TrainingRun, ShufflingIsRefusedUnderAddRemove) {
  TrainingRunOptions options = thesis_run();
  options.sampling = Sampling::kShuffled;
  EXPECT_THROW(TrainingRun(options).composition(Neighbours(Adjacency::kAddRemove)),
               NoValidAnalysis);
  options.batch_size = 60000;
  EXPECT_NO_THROW(TrainingRun(options).composition(Neighbours(Adjacency::kAddRemove)));
}

}  // namespace
}  // namespace sotto::accounting
