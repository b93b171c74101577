#include "plots/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sotto/core/error.h"

namespace sotto::plots {
namespace {

using report::Scale;
using testing::DoubleEq;
using testing::ElementsAre;

PlannedRun run_on(std::int64_t records, std::int64_t batch) {
  PlannedRun run;
  run.run.dataset_size = records;
  run.run.batch_size = batch;
  return run;
}

TEST(Axis, IsEvenOnItsScale) {
  EXPECT_THAT(axis_over(Quantity::kNoiseMultiplier, {1, 3}, Scale::kLinear, 3).places,
              ElementsAre(1, 2, 3));
  EXPECT_THAT(axis_over(Quantity::kDelta, {1e-6, 1e-4}, Scale::kLog, 3).places,
              ElementsAre(1e-6, DoubleEq(1e-5), 1e-4));
}

TEST(Axis, HasWholeNumbersOnceEach) {
  EXPECT_THAT(axis_over(Quantity::kEpochs, {1, 3}, Scale::kLinear, 30).places,
              ElementsAre(1, 2, 3));
}

TEST(Axis, RefusesWhatIsNoRange) {
  EXPECT_THROW(axis_over(Quantity::kEpochs, {3, 3}, Scale::kLinear, 5), InvalidArgument);
  EXPECT_THROW(axis_over(Quantity::kNoiseMultiplier, {0, 3}, Scale::kLog, 5), InvalidArgument);
  EXPECT_THROW(axis_over(Quantity::kEpochs, {1, 3}, Scale::kLinear, 1), InvalidArgument);
}

TEST(Axis, UsualRangeIsWhatAllRunsAllow) {
  const std::vector<PlannedRun> runs = {run_on(1000, 16), run_on(500, 2000)};
  EXPECT_EQ(usual_range(Quantity::kBatchSize, runs).high, 500);
  EXPECT_EQ(usual_range(Quantity::kDatasetSize, runs).low, 2000);
  const std::vector<PlannedRun> small = {run_on(10, 5)};
  EXPECT_EQ(usual_range(Quantity::kBatchSize, small).low, 1);
}

}  // namespace
}  // namespace sotto::plots
