// A clipping threshold that follows a quantile of the gradients' norms.
#include <cmath>

#include "tests/engine/training_fixture.h"

namespace sotto::adaptive_threshold {
namespace {

using torch::Tensor;

class AdaptiveThresholdTest : public TrainingFixture {};

TEST_F(AdaptiveThresholdTest, HasAFloor) {
  auto plan = options(0.5, 400);
  plan.clipping = AdaptiveClipping{.count_noise = 5};
  torch::optim::SGD optimizer(model->parameters(), 1e-6);
  auto engine = make_private(*model, optimizer, plan);
  while (auto batch = engine.next_batch()) engine.step(losses(batch->indices) * 0);
  EXPECT_GE(engine.max_grad_norm(), 1e-6);
}

// The count of unclipped samples is whole: noise on it is rounded, like that on sums.
TEST_F(AdaptiveThresholdTest, ItsCountIsOnTheGridOfItsNoise) {
  auto plan = options(1, 1);
  plan.clipping = AdaptiveClipping{.count_noise = 3};
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto engine = make_private(*model, optimizer, plan);
  train(engine);
  const AdaptiveClipping adaptive;
  const double fraction =
      adaptive.target_quantile - std::log(engine.max_grad_norm()) / adaptive.learning_rate;
  const double steps = (fraction - 0.5) * static_cast<double>(plan.batch_size) * 0x1p9;  // 3 / 1024
  EXPECT_NEAR(steps, std::round(steps), 1e-6);
}

TEST_F(AdaptiveThresholdTest, FollowsTheQuantile) {
  auto plan = options(0.5, 150);
  plan.batch_size = 100;
  plan.clipping = AdaptiveClipping{.count_noise = 5};
  plan.max_grad_norm = 100;
  torch::optim::SGD optimizer(model->parameters(), 1e-6);
  auto engine = make_private(*model, optimizer, plan);
  train(engine);
  Tensor norms = torch::zeros({kRecords});
  for (std::int64_t i = 0; i < kRecords; ++i) {
    double squared = 0;
    for (const auto& g :
         torch::autograd::grad({losses(torch::tensor({i})).sum()}, model->parameters())) {
      squared += g.square().sum().item<double>();
    }
    norms[i] = std::sqrt(squared);
  }
  const double share = (norms <= engine.max_grad_norm()).to(torch::kDouble).mean().item<double>();
  EXPECT_NEAR(share, 0.5, 0.15);
}

}  // namespace
}  // namespace sotto::adaptive_threshold
