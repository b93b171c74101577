// Never: NaN/Inf from one sample poisoning the sum: that sample contributes zero, and is counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/engine/simple_trainer.h"

namespace sotto {
namespace {

using testing::HasSubstr;

using torch::Tensor;

constexpr std::int64_t kBadRecord = 3;

std::vector<std::int64_t> all_but_the_bad(const Task& task) {
  std::vector<std::int64_t> others;
  for (std::int64_t i = 0; i < task.records(); ++i) {
    if (i != kBadRecord) others.push_back(i);
  }
  return others;
}

// With one record spoilt, the step is that of all the others.
std::string why_one_record_spoils_the_batch(const Trainer& trainer) {
  const auto infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {std::nanf(""), infinity, -infinity}) {
    for (const bool in_loss : {false, true}) {
      Task task(10);
      if (in_loss) task.scales[kBadRecord] = bad;
      if (!in_loss) task.inputs[kBadRecord].fill_(bad);
      for (const std::int64_t parts : {0, 4}) {
        const auto run = trainer(task, full_batch_plan(task, kHardlyAnyNoise, 1), parts);
        const auto& step = run.steps.at(0);
        const Tensor expected = task.clipped_sum(all_but_the_bad(task), step.bound, step.before) /
                                static_cast<double>(task.records());
        const std::string where = std::to_string(bad) + (in_loss ? " in the loss" : " in the data");
        if (!torch::allclose(step.update, expected, 1e-4, 1e-6)) return where + ": other update";
        if (run.discarded != 1) return where + ": not counted";
      }
    }
  }
  return "";
}

TEST(NeverNan, TheEngineLeavesOutTheOneAndCountsIt) {
  EXPECT_EQ(why_one_record_spoils_the_batch(train_with_engine), "");
  EXPECT_EQ(why_one_record_spoils_the_batch(SimpleTrainer{}), "");
}

TEST(NeverNan, PoisonsTheSum) {
  SimpleTrainer bug;
  bug.clip = [](const Tensor& gradients, double bound) {
    return (gradients * (bound / gradients.norm(2, {1}, true)).clamp_max(1)).sum(0);
  };
  EXPECT_THAT(why_one_record_spoils_the_batch(bug), HasSubstr("other update"));
}

// One record decides whether all others are heard.
TEST(NeverNan, SilencesTheWholeBatch) {
  SimpleTrainer bug;
  bug.clip = [](const Tensor& gradients, double bound) {
    const bool good = gradients.isfinite().all().item<bool>();
    return good ? SimpleTrainer::clip_each(gradients, bound) : torch::zeros_like(gradients[0]);
  };
  EXPECT_THAT(why_one_record_spoils_the_batch(bug), HasSubstr("other update"));
}

TEST(NeverNan, IsNotCounted) {
  SimpleTrainer bug;
  bug.count_discarded = [](const Tensor&) { return 0; };
  EXPECT_THAT(why_one_record_spoils_the_batch(bug), HasSubstr("not counted"));
}

// And then clipped like any other gradient.
TEST(NeverNan, IsReplacedByALargeNumber) {
  SimpleTrainer bug;
  bug.clip = [](const Tensor& gradients, double bound) {
    return SimpleTrainer::clip_each(gradients.nan_to_num(1.0, 1e30, -1e30), bound);
  };
  EXPECT_THAT(why_one_record_spoils_the_batch(bug), HasSubstr("other update"));
}

}  // namespace
}  // namespace sotto
