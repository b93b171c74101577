// Every step that is charged is seen by whoever acts after steps: averages, schedules, metrics.
#include "train/training_steps.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "settings/config_json.h"
#include "tests/core/temporary_folder.h"
#include "train/tensor_data.h"
#include "train/training_state.h"

namespace sotto::train {
namespace {

class TrainingStepsTest : public testing::TestWithParam<std::string> {};

// Several steps in one would be averaged once: the average would tell which were empty.
TEST_P(TrainingStepsTest, EmptyBatchesAreStepsLikeAnyOther) {
  const TemporaryFolder folder;
  TrainingConfig config;
  config.dataset = "digits";
  config.model = GetParam() == "clipless" ? "lip-mlp" : "softmax";
  if (GetParam() == "clipless") config.method = Method::kClipless;
  if (GetParam() == "graph") config.gradients = GradientPath::kGraph;
  config.batch_size = 1;  // a third of the batches are empty
  config.epochs = 1;
  config.noise_multiplier = 1;
  const auto run = runs::RunFolder::create(folder / "run", json_of(config));
  const auto data = load_data(config);
  TrainingState state(run, config, data);
  TrainingSteps steps(state, data.train);
  for (std::int64_t updates = 1; updates <= 60; ++updates) {
    ASSERT_TRUE(steps.next());
    ASSERT_EQ(state.engine->steps(), updates);
    ASSERT_EQ(state.step, updates);
  }
}

INSTANTIATE_TEST_SUITE_P(Paths, TrainingStepsTest, testing::Values("fused", "graph", "clipless"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace sotto::train
