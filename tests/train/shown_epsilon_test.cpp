#include "train/shown_epsilon.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

namespace sotto::train {
namespace {

constexpr double kDelta = 1e-5;

class ShownEpsilonTest : public testing::Test {
 protected:
  PrivacyEngine engine(const EngineOptions& options = {}) {
    return make_private(*model, optimizer,
                        {.dataset_size = 50, .batch_size = 1, .steps = 40, .noise_multiplier = 1},
                        options);
  }
  // One step more; its samples do not matter.
  void step(PrivacyEngine& engine) {
    const auto batch = engine.next_batch();
    engine.step(model->forward(torch::ones({batch->size(), 2})).sum(1));
  }

  torch::nn::Linear model{2, 1};
  torch::optim::SGD optimizer{model->parameters(), 0.1};
};

// Also if steps come a thousand times faster than the speed measured so far foretells, within the
// two seconds for which a number is kept.
TEST_F(ShownEpsilonTest, IsNeverThatOfFewerSteps) {
  for (const double speed : {0.0, 1.0, 1e6}) {
    auto private_engine = engine();
    ShownEpsilon shown(kDelta);
    for (int i = 0; i < 40; ++i) {
      step(private_engine);
      EXPECT_GE(shown.of(private_engine, speed),
                *private_engine.privacy_spent(kDelta).epsilon_lower)
          << "step " << private_engine.steps() << ", foretold speed " << speed;
    }
  }
}

TEST_F(ShownEpsilonTest, IsThatOfTheWholePlanAtMost) {
  auto private_engine = engine();
  ShownEpsilon shown(kDelta);
  step(private_engine);
  const double ahead = shown.of(private_engine, 1e6);
  while (private_engine.steps() < 40) step(private_engine);
  EXPECT_EQ(ahead, private_engine.privacy_spent(kDelta).epsilon);
}

TEST_F(ShownEpsilonTest, IsInfiniteWithASeed) {
  auto seeded = engine({.insecure_seed = 1});
  step(seeded);
  EXPECT_TRUE(std::isinf(ShownEpsilon(kDelta).of(seeded, 1)));
}

}  // namespace
}  // namespace sotto::train
