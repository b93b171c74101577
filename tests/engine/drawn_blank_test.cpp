// Amplification by sampling needs more than a bound on one record: a blank that is drawn must leave
// the others as they are, as if it had not been.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <array>
#include <cmath>

#include "sotto/engine/privacy_engine.h"

namespace sotto::drawn_blank {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

// LibTorch's sigmoid rounds the last places of a vector otherwise than the others: at `x` it is
// `threshold` in the former and more in the latter.
struct Gate {
  float x = 0;
  float threshold = 0;
};

Gate find_gate() {
  const torch::NoGradGuard no_gradients;
  for (int i = 1; i < 4000; ++i) {
    const float x = -0.5F - 0.001F * static_cast<float>(i);
    const Tensor values = torch::sigmoid(torch::full({129}, x));
    const auto last = values[128].item<float>();
    if (values[0].item<float>() > last) return {x, last};
  }
  return {};
}

// How many companions' gates a step counts as open, with the blank drawn and without.
struct Counts {
  std::array<int, 2> steps = {};
  std::array<int, 2> whole_vectors = {};  // of these: open gates are a multiple of 16
};

// Record 0 is blank, all others are alike, and contribute 1 each if their place opens their gate.
Counts count_open_gates(const Gate& gate, std::int64_t records, std::int64_t batch_size) {
  at::set_num_threads(1);
  Tensor inputs = torch::full({records, 1}, gate.x);
  inputs[0] = 0;
  nn::Linear layer(nn::LinearOptions(1, 1).bias(false));
  torch::optim::SGD optimizer(layer->parameters(), 1.0);
  PlanOptions plan{.dataset_size = records, .batch_size = batch_size, .steps = 3000};
  plan.noise_multiplier = 1e-3;
  auto engine = make_private(*layer, optimizer, plan, {.insecure_seed = 11});
  Counts counts;
  while (true) {
    {
      const torch::NoGradGuard no_gradients;
      layer->weight.fill_(1);
    }
    const auto batch = engine.next_batch();
    if (!batch) return counts;
    const Tensor scores = layer->forward(inputs.index_select(0, batch->indices)).squeeze(1);
    engine.step(1e4 * torch::relu(torch::sigmoid(scores) - gate.threshold));
    const double sum = (layer->weight.item<double>() - 1) * static_cast<double>(batch_size);
    const auto open = std::lround(sum);
    const Tensor drawn = batch->indices.masked_select(batch->is_drawn);
    const auto blank = drawn.eq(0).any().item<bool>() ? 1U : 0U;
    ++counts.steps[blank];
    counts.whole_vectors[blank] += open % 16 == 0 ? 1 : 0;
  }
}

class DrawnBlankTest : public testing::Test {
 protected:
  void SetUp() override {
    gate = find_gate();
    if (gate.x == 0) GTEST_SKIP() << "sigmoid rounds all places alike on this machine";
  }
  Gate gate;
};

// With as many places as records, 61, the last ones are rounded otherwise.
TEST_F(DrawnBlankTest, LeavesTheOthersAsTheyAre) {
  for (const std::int64_t records : {61, 1001}) {
    const auto counts = count_open_gates(gate, records, 30);
    std::array<double, 2> shares = {};
    double variance = 0;
    for (const auto blank : {0U, 1U}) {
      ASSERT_GT(counts.steps[blank], 40);
      shares[blank] = static_cast<double>(counts.whole_vectors[blank]) / counts.steps[blank];
      variance += 0.25 / counts.steps[blank];
    }
    EXPECT_NEAR(shares[0], shares[1], 5 * std::sqrt(variance)) << records << " records";
  }
}

}  // namespace
}  // namespace sotto::drawn_blank
