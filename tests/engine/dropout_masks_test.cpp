// What a model draws of itself while records run through it.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/engine/privacy_engine.h"

namespace sotto::dropout_masks {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

// Masks that are known would shift by one for all behind a record; nor may later draws tell them.
TEST(DropoutMasksTest, CannotBeForetoldFromASeed) {
  nn::Sequential model(nn::Dropout(0.5), nn::Linear(64, 1));
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  PlanOptions plan{.dataset_size = 10, .batch_size = 10, .steps = 1};
  plan.sampling = accounting::Sampling::kNone;
  plan.noise_multiplier = 1;
  std::vector<Tensor> masks;
  for (int run = 0; run < 2; ++run) {
    auto engine = make_private(*model, optimizer, plan);
    torch::manual_seed(1);
    const auto batch = engine.next_batch();
    masks.push_back(torch::dropout(torch::ones({64}), 0.5, true));
    engine.step(model->forward(torch::ones({batch->size(), 64})).sum(1));
    masks.push_back(torch::dropout(torch::ones({64}), 0.5, true));
  }
  for (std::size_t i = 0; i < masks.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(masks[i].equal(masks[j]));
    EXPECT_NEAR(masks[i].mean().item<double>(), 1, 6.0 / 8);
  }
}

}  // namespace
}  // namespace sotto::dropout_masks
