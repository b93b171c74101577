// A model class of one's own, trained privately: checked, interrupted, and resumed from its
// checkpoint.
#include <torch/torch.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "sotto/sotto.h"
#include "sotto/train/checkpoint.h"

namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

struct NetImpl : nn::Module {
  NetImpl() {
    first = register_module("first", nn::Linear(8, 32));
    norm = register_module("norm", nn::LayerNorm(nn::LayerNormOptions({32})));
    last = register_module("last", nn::Linear(32, 2));
  }
  torch::Tensor forward(const torch::Tensor& x) {
    return last->forward(torch::relu(norm->forward(first->forward(x))));
  }

  nn::Linear first{nullptr}, last{nullptr};
  nn::LayerNorm norm{nullptr};
};
TORCH_MODULE(Net);

struct Data {
  torch::Tensor x;  // (n, 8)
  torch::Tensor y;  // (n)
};

Data drawn(std::int64_t n) {
  const auto x = torch::randn({n, 8});
  return {x, (x.select(1, 0) + x.select(1, 1) > 0).to(torch::kLong)};
}

// Trains until the plan is done or `most` steps were made. Returns ε spent.
double train(const std::filesystem::path& folder, const Data& records, const Data& public_test,
             std::int64_t most) {
  Net model;
  torch::optim::Adam optimizer(model->parameters(), /*lr=*/0.01);
  sotto::PlanOptions options;
  options.dataset_size = records.x.size(0);
  options.batch_size = 100;
  options.epochs = 5;
  options.noise_multiplier = 1;
  auto engine =
      sotto::make_private(*model, optimizer, options, {.ledger = folder / "ledger.jsonl"});
  if (std::filesystem::exists(folder / "checkpoint")) {
    sotto::train::load_checkpoint(folder / "checkpoint", engine, *model, optimizer);
    std::cout << "resumed at step " << engine.steps() << '\n';
  }
  const auto each = F::CrossEntropyFuncOptions().reduction(torch::kNone);
  while (engine.steps() < most) {
    const auto batch = engine.next_batch();
    if (!batch) break;
    if (batch->size() > 0) {
      const auto scores = model->forward(batch->rows_of(records.x));
      engine.step(F::cross_entropy(scores, batch->rows_of(records.y), each));
    }
  }
  sotto::train::save_checkpoint(folder / "checkpoint", engine, *model, optimizer);
  const auto answers = model->forward(public_test.x).argmax(1);
  const auto right = (answers == public_test.y).to(torch::kFloat).mean().item<double>();
  std::cout << engine.steps() << " steps, epsilon " << engine.privacy_spent(1e-5).epsilon
            << ", accuracy on public data " << right << '\n';
  return engine.privacy_spent(1e-5).epsilon;
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): an example ends where it fails
int main() {
  const Data records = drawn(2000);
  const Data public_test = drawn(500);
  for (const auto& finding : sotto::check(*Net())) std::cout << finding.text() << '\n';
  const auto folder =
      std::filesystem::temp_directory_path() / ("sotto-own-model-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const double half = train(folder, records, public_test, 40);
  const double whole = train(folder, records, public_test, 1'000'000);
  std::filesystem::remove_all(folder);
  return half < whole ? 0 : 1;
}
