// What docs/training.md shows between the marks: a torch::data dataset, trained on privately.
#include <torch/torch.h>

#include <iostream>
#include <optional>

#include "sotto/engine/data_loader.h"
#include "sotto/sotto.h"

namespace {

struct Patients : torch::data::datasets::Dataset<Patients> {
  torch::data::Example<> get(std::size_t index) override {
    const auto record = static_cast<std::int64_t>(index);
    return {x[record], y[record]};
  }
  torch::optional<std::size_t> size() const override { return x.size(0); }

  torch::Tensor x = torch::randn({2000, 8});
  torch::Tensor y = (x.select(1, 0) > 0).to(torch::kLong);
};

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): an example ends where it fails
int main() {
  namespace F = torch::nn::functional;
  const auto none = F::CrossEntropyFuncOptions().reduction(torch::kNone);
  torch::nn::Sequential model(torch::nn::Linear(8, 2));
  torch::optim::SGD optimizer(model->parameters(), /*lr=*/0.5);
  torch::optim::StepLR schedule(optimizer, /*step_size=*/20, /*gamma=*/0.8);
  constexpr int epochs = 5;
  auto engine =
      sotto::make_private_with_epsilon(*model, optimizer, {/*epsilon=*/1, /*delta=*/1e-5},
                                       {.dataset_size = 2000, .batch_size = 100, .epochs = epochs});
  // [training]
  auto loader = sotto::make_private_loader(engine, Patients());
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (auto& batch : *loader) {
      if (batch.size() > 0)
        engine.step(F::cross_entropy(model->forward(batch.data), batch.target, none));
      if (batch.last_part) schedule.step();  // after empty batches too
    }
  }
  // [/training]
  const double epsilon = engine.privacy_spent(/*delta=*/1e-5).epsilon;
  std::cout << engine.steps() << " steps, epsilon " << epsilon << '\n';
  return engine.steps() == engine.plan().steps() && epsilon <= 1 ? 0 : 1;
}
