// What one record more does to a step, seen from outside: to the weights that a run would publish.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/engine/privacy_engine.h"

namespace sotto::one_record {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

constexpr double kBound = 1;
constexpr std::int64_t kColumns = 8;

struct Records {
  Tensor inputs;
  Tensor labels;
};

// In float, one after another: `pushing` records add 1/2 each to a bias' sum, and bring it past
// 2^14 if they are more than 2^15. `vanishing` others, which clipping leaves little of, then
// subtract less than half of its last place each, but more than half of that below 2^14.
Records pushing_and_vanishing(std::int64_t pushing, std::int64_t vanishing) {
  Records records{torch::zeros({pushing + vanishing, kColumns}),
                  torch::zeros({pushing + vanishing}, torch::kLong)};
  records.inputs.narrow(0, pushing, vanishing).fill_(356);
  records.labels.narrow(0, pushing, vanishing).fill_(1);
  return records;
}

// Of one step on all records with next to no noise: the sum of what they contributed.
Tensor contributed(const Records& records, bool fused) {
  const std::int64_t count = records.inputs.size(0);
  nn::Sequential model(nn::Linear(kColumns, 2));
  {
    torch::NoGradGuard no_gradients;
    for (auto& parameter : model->parameters()) parameter.zero_();
  }
  torch::optim::SGD optimizer(model->parameters(), static_cast<double>(count));
  PlanOptions plan{.dataset_size = count, .batch_size = count, .steps = 1};
  plan.sampling = accounting::Sampling::kNone;
  plan.noise_multiplier = 1e-3;
  plan.max_grad_norm = kBound;
  if (fused) plan.adjacency = accounting::Adjacency::kAddRemove;
  auto engine = make_private(*model, optimizer, plan);
  const auto [kernels, reason] = grad::FusedModel::compile(
      model, {.sample_shape = {kColumns}, .parameters = engine.parameters()});
  EXPECT_NE(kernels, nullptr) << reason;
  const auto batch = engine.next_batch();
  if (fused) {
    engine.step(*kernels, {records.inputs, records.labels, batch->indices});
  } else {
    engine.step(nn::functional::cross_entropy(
        model->forward(records.inputs.index_select(0, batch->indices)),
        records.labels.index_select(0, batch->indices),
        nn::functional::CrossEntropyFuncOptions().reduction(torch::kNone)));
  }
  std::vector<Tensor> all;
  for (const auto& parameter : model->parameters()) {
    all.push_back(parameter.detach().to(torch::kDouble).flatten());
  }
  return torch::cat(all);
}

// Added up in float, the sum moved by tens of bounds: see
// ExactSumsTest.OneRecordMovesASumByNoMoreThanItsBound.
TEST(OneRecordTest, MovesAStepByNoMoreThanItsBound) {
  constexpr std::int64_t kPushing = (1 << 15) + 1;
  constexpr std::int64_t kVanishing = 40'000;
  constexpr double kNoise = 0.05;  // of both steps, and what weights of this size lose as floats
  for (const bool fused : {true, false}) {
    const Tensor with = contributed(pushing_and_vanishing(kPushing, kVanishing), fused);
    const Tensor without = contributed(pushing_and_vanishing(kPushing - 1, kVanishing), fused);
    const double moved = (with - without).norm().item<double>();
    EXPECT_LE(moved, kBound + kNoise) << (fused ? "fused" : "graph");
    EXPECT_GT(moved, kBound / 2) << (fused ? "fused" : "graph");
  }
}

}  // namespace
}  // namespace sotto::one_record
