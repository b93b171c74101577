// With a test seed a run's bits do not depend on threads or physical batches.
#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "engine/sum_release.h"
#include "sotto/engine/privacy_engine.h"
#include "sotto/models/models.h"

namespace sotto::same_bits {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

struct Data {
  Tensor inputs;
  Tensor labels;
};

struct Setting {
  int threads = 1;
  std::int64_t max_physical_batch_size = 0;
};

// All parameters after a few steps with batches of about 300.
Tensor trained(nn::Sequential model, const Data& data, bool fused, const Setting& setting) {
  const int threads_before = at::get_num_threads();
  at::set_num_threads(setting.threads);
  torch::optim::SGD optimizer(model->parameters(), 0.5);
  PlanOptions plan{.dataset_size = data.inputs.size(0), .batch_size = 300, .steps = 3};
  plan.noise_multiplier = 1;
  auto engine = make_private(
      *model, optimizer, plan,
      {.max_physical_batch_size = setting.max_physical_batch_size, .insecure_seed = 20261117});
  const auto shape = data.inputs.sizes().slice(1).vec();
  const auto [kernels, reason] =
      grad::FusedModel::compile(model, {.sample_shape = shape, .parameters = engine.parameters()});
  EXPECT_NE(kernels, nullptr) << reason;
  while (auto batch = engine.next_batch()) {
    if (fused) {
      engine.step(*kernels, {data.inputs, data.labels, batch->indices});
      continue;
    }
    const Tensor scores = model->forward(data.inputs.index_select(0, batch->indices));
    engine.step(nn::functional::cross_entropy(
        scores, data.labels.index_select(0, batch->indices),
        nn::functional::CrossEntropyFuncOptions().reduction(torch::kNone)));
  }
  at::set_num_threads(threads_before);
  std::vector<Tensor> all;
  for (const auto& parameter : model->parameters()) all.push_back(parameter.detach().flatten());
  return torch::cat(all);
}

nn::Sequential fresh(const std::string& name) {
  torch::manual_seed(3);
  if (name == "mlp") {
    return nn::Sequential(nn::Linear(784, 50), nn::ReLU(), nn::Linear(50, 10));
  }
  return models::make_model(name, {{1, 28, 28}, 10});
}

Data data_for(const std::string& name) {
  torch::manual_seed(4);
  Tensor inputs = torch::randn({900, 1, 28, 28});
  if (name == "mlp") inputs = inputs.flatten(1);
  return {inputs, torch::randint(10, {900})};
}

TEST(SameBitsTest, FusedWhateverTheThreadsAndTheParts) {
  for (const std::string name : {"cnn", "mlp"}) {
    const auto data = data_for(name);
    const Tensor expected = trained(fresh(name), data, true, {});
    for (const int threads : {1, 2}) {
      for (const std::int64_t part : {0, 64, 100, 257}) {
        EXPECT_TRUE(trained(fresh(name), data, true, {threads, part}).equal(expected))
            << name << ", " << threads << " threads, parts of " << part;
      }
    }
  }
}

// LibTorch's own kernels may round otherwise on other threads and in other parts: what is added up
// of them does not.
TEST(SameBitsTest, GraphWhateverTheThreadsUpToWhatLibTorchRounds) {
  for (const std::string name : {"cnn", "mlp"}) {
    const auto data = data_for(name);
    const Tensor expected = trained(fresh(name), data, false, {});
    EXPECT_TRUE(trained(fresh(name), data, false, {}).equal(expected)) << name;
    for (const Setting& other : {Setting{2, 0}, Setting{1, 64}, Setting{2, 100}}) {
      const Tensor got = trained(fresh(name), data, false, other);
      EXPECT_LT((got - expected).abs().max().item<double>(), 1e-5) << name;
    }
  }
}

// Also what MERF embeds its records into.
TEST(SameBitsTest, OneTimeSumsWhateverTheThreadsAndThePortions) {
  torch::manual_seed(5);
  const Tensor rows = torch::randn({600, 40}) * torch::randn({600, 1}).exp();
  const Tensor kinds = torch::randint(3, {600});
  PlanOptions plan{.dataset_size = 600, .batch_size = 600, .steps = 1};
  plan.sampling = accounting::Sampling::kNone;
  plan.noise_multiplier = 2;
  const auto released = [&](int threads, std::int64_t portion) {
    const int threads_before = at::get_num_threads();
    at::set_num_threads(threads);
    SumRelease release(Plan(plan), 3, {.insecure_seed = 9});
    for (std::int64_t i = 0; i < 600; i += portion) {
      release.add(rows.narrow(0, i, std::min(portion, 600 - i)),
                  kinds.narrow(0, i, std::min(portion, 600 - i)));
    }
    at::set_num_threads(threads_before);
    return release.release();
  };
  const Tensor expected = released(1, 600);
  for (const int threads : {1, 2}) {
    for (const std::int64_t portion : {600, 64, 7}) {
      EXPECT_TRUE(released(threads, portion).equal(expected)) << threads << ' ' << portion;
    }
  }
}

}  // namespace
}  // namespace sotto::same_bits
