// What README.md shows between the marks, in a program that runs.
#include <torch/torch.h>

#include <iostream>

#include "sotto/sotto.h"

// NOLINTNEXTLINE(bugprone-exception-escape): an example ends where it fails
int main() {
  namespace F = torch::nn::functional;
  const auto none = F::CrossEntropyFuncOptions().reduction(torch::kNone);
  const auto x = torch::randn({2000, 8});
  const auto y = (x.select(1, 0) > 0).to(torch::kLong);
  // [readme]
  torch::nn::Sequential model(torch::nn::Linear(8, 16), torch::nn::ReLU(),
                              torch::nn::Linear(16, 2));
  torch::optim::SGD optimizer(model->parameters(), /*lr=*/0.5);
  auto engine =
      sotto::make_private_with_epsilon(*model, optimizer, {/*epsilon=*/1, /*delta=*/1e-5},
                                       {.dataset_size = 2000, .batch_size = 100, .epochs = 5});
  while (auto batch = engine.next_batch()) {
    auto scores = model->forward(batch->rows_of(x));
    auto losses = F::cross_entropy(scores, batch->rows_of(y), none);
    engine.step(losses);
  }
  auto spent = engine.privacy_spent(/*delta=*/1e-5);
  // [/readme]
  std::cout << "epsilon " << spent.epsilon << '\n';
  return spent.epsilon <= 1 ? 0 : 1;
}
