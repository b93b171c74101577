// The bounds hold for weights within their constraint: after every step of the engine.
#include <stdexcept>
#include <utility>

#include "tests/lipschitz/clipless_fixture.h"
#include "tests/lipschitz/exact_norms.h"

namespace sotto::lipschitz {
namespace {

class CliplessConstraintTest : public CliplessFixture {
 protected:
  static constexpr double kFarStep = 5;  // a learning rate that throws weights far away
};

TEST_F(CliplessConstraintTest, LinearLayers) {
  use(make_network("lip-mlp", {{6}, 2}), kFarStep);
  auto engine = open(plan(2, 10));
  while (auto batch = engine.next_batch()) {
    step(engine, *batch);
    for (const auto& weight : network->parameters()) EXPECT_LE(exact_norm(weight), 1 + 1e-6);
  }
}

TEST_F(CliplessConstraintTest, Convolutions) {
  inputs = torch::randn({kCliplessRecords, 1, 8, 8});
  use(make_network("lip-cnn", {{1, 8, 8}, 2}), kFarStep);
  auto engine = open(plan(2, 4));
  int seen = 0;
  while (auto batch = engine.next_batch()) {
    step(engine, *batch);
    for (const auto& child : network->children()) {
      const auto* conv = child->as<Conv2dImpl>();
      if (conv == nullptr) continue;
      ++seen;
      EXPECT_LE(exact_norm(*conv), 1 + 1e-6);
    }
  }
  EXPECT_EQ(seen, 4 * 2);
}

// Fails half-way, when weights have moved and nobody has put them back.
class FailingOptimizer : public RecordingOptimizer {
 public:
  using RecordingOptimizer::RecordingOptimizer;
  torch::Tensor step(LossClosure closure = nullptr) override {
    RecordingOptimizer::step(std::move(closure));
    throw std::runtime_error("the disk is full");
  }
};

TEST_F(CliplessConstraintTest, AfterAStepThatFailed) {
  FailingOptimizer failing(network->parameters(), kFarStep);
  PrivacyEngine engine(*model, *network, failing, Plan(full_plan(2, 3)), {.insecure_seed = 3});
  const auto batch = engine.next_batch();
  EXPECT_THROW(step(engine, *batch), std::runtime_error);
  ASSERT_TRUE(engine.next_batch());
  EXPECT_EQ(engine.steps(), 1);  // it was charged
  for (const auto& weight : network->parameters()) EXPECT_LE(exact_norm(weight), 1 + 1e-6);
}

// Whatever else the optimizer does to weights: momentum, decay, steps of its own size.
TEST_F(CliplessConstraintTest, WithAnyOptimizer) {
  torch::optim::AdamW adam(network->parameters(), torch::optim::AdamWOptions(1).weight_decay(0.1));
  torch::optim::SGD sgd(network->parameters(), torch::optim::SGDOptions(1).momentum(0.9));
  for (torch::optim::Optimizer* each : std::vector<torch::optim::Optimizer*>{&adam, &sgd}) {
    PrivacyEngine engine(*model, *network, *each, Plan(plan(2, 5)), {.insecure_seed = 3});
    while (auto batch = engine.next_batch()) {
      step(engine, *batch);
      for (const auto& weight : network->parameters()) EXPECT_LE(exact_norm(weight), 1 + 1e-6);
    }
    EXPECT_EQ(engine.steps(), 5);
  }
}

}  // namespace
}  // namespace sotto::lipschitz
