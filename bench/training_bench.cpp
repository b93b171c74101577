// What privacy costs: a step of the default network with and without it, side by side in one run,
// and the share of the noise in a step of a model of ten million parameters. Usage: training_bench
// [--json FILE]
#include <malloc.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "private/noise.h"
#include "sotto/core/atomic_file.h"
#include "sotto/models/models.h"
#include "sotto/private/privacy_engine.h"
#include "sotto/train/evaluation.h"

namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;
using torch::Tensor;

template <typename Work>
double milliseconds(const Work& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// A private engine whose every batch is all of the given data.
struct PrivateSide {
  PrivateSide(torch::nn::Sequential model, std::int64_t batch)
      : optimizer(model->parameters(), 0.1),
        engine(sotto::make_private(*model, optimizer,
                                   {.dataset_size = batch,
                                    .batch_size = batch,
                                    .steps = 1'000'000,
                                    .sampling = sotto::accounting::Sampling::kNone,
                                    .noise_multiplier = 1})) {}
  torch::optim::SGD optimizer;
  sotto::PrivacyEngine engine;
};

json compare(const std::string& name, torch::nn::Sequential model, const Tensor& x, const Tensor& y,
             int repeats) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  PrivateSide side(model, x.size(0));
  const auto losses = [&] { return sotto::train::per_sample_losses(model->forward(x), y); };
  std::vector<double> plain;
  std::vector<double> with_privacy;
  for (int i = 0; i < repeats + 2; ++i) {
    const double a = milliseconds([&] {
      optimizer.zero_grad();
      losses().mean().backward();
      optimizer.step();
    });
    const double b = milliseconds([&] {
      side.engine.next_batch();
      side.engine.step(losses());
    });
    if (i < 2) continue;  // warming up
    plain.push_back(a);
    with_privacy.push_back(b);
  }
  const double ratio = median(with_privacy) / median(plain);
  std::printf("%-10s batch %5ld   plain %8.2f ms   private %8.2f ms   ratio %.2f\n", name.c_str(),
              static_cast<long>(x.size(0)), median(plain), median(with_privacy), ratio);
  return {{"work", name},
          {"batch", x.size(0)},
          {"plain_ms", median(plain)},
          {"private_ms", median(with_privacy)},
          {"ratio", ratio}};
}

torch::nn::Sequential ten_million() {
  return torch::nn::Sequential(torch::nn::Linear(784, 2048), torch::nn::ReLU(),
                               torch::nn::Linear(2048, 4096), torch::nn::ReLU(),
                               torch::nn::Linear(4096, 10));
}

json noise_share(double step_ms, std::int64_t batch) {
  sotto::Noise noise;
  std::int64_t count = 0;
  std::vector<Tensor> gradients;
  for (const auto& parameter : ten_million()->parameters()) {
    gradients.push_back(torch::zeros_like(parameter).detach());
    count += parameter.numel();
  }
  std::vector<double> times;
  for (int i = 0; i < 7; ++i) {
    times.push_back(milliseconds([&] {
      for (auto& gradient : gradients) noise.add_and_divide(gradient, 1, 256);
    }));
  }
  const double share = median(times) / step_ms;
  std::printf("noise on %.1f million parameters: %.1f ms, %.1f %% of a private step of %ld\n",
              static_cast<double>(count) / 1e6, median(times), 100 * share,
              static_cast<long>(batch));
  return {{"work", "noise-10m"}, {"batch", batch}, {"noise_ms", median(times)}, {"share", share}};
}

}  // namespace

int main(int argc, char** argv) {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);  // as the program does; both sides gain
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  at::set_num_threads(2);
  json rows = json::array();
  for (const std::int64_t batch : {64, 256, 1024}) {
    rows.push_back(compare("cnn", sotto::models::make_model("cnn", {{1, 28, 28}, 10}),
                           torch::rand({batch, 1, 28, 28}), torch::randint(10, {batch}), 21));
  }
  for (const std::int64_t batch : {256, 1024}) {
    rows.push_back(compare("mlp-10m", ten_million(), torch::rand({batch, 784}),
                           torch::randint(10, {batch}), 5));
    rows.push_back(noise_share(rows.back().at("private_ms").get<double>(), batch));
  }
  if (argc == 3 && std::strcmp(argv[1], "--json") == 0) {
    sotto::write_file_atomically(argv[2], rows.dump(2) + "\n");
  }
  return 0;
}
