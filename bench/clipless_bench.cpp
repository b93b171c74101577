// What a clipless private step costs beside the same Lipschitz network's step without privacy, and
// beside clipping per-sample gradients (DP-SGD) on the same network.
//
// Usage: clipless_bench [--json FILE]
#include <malloc.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "bench/malloc_meter.h"
#include "core/atomic_file.h"
#include "core/blas_kernels.h"
#include "sotto/engine/privacy_engine.h"
#include "sotto/lipschitz/fixed_layers.h"
#include "sotto/lipschitz/linear_layers.h"
#include "sotto/lipschitz/lipschitz_model.h"

namespace {

using namespace sotto;
using nlohmann::json;
using Step = std::function<void()>;
constexpr double kRate = 0.01;

// lip-mlp with ReLU for MaxMin, which clipping's rules know too.
torch::nn::Sequential relu_mlp() {
  torch::nn::Sequential model;
  model->push_back("input", lipschitz::InputBound(14));
  model->push_back("flatten", torch::nn::Flatten());
  model->push_back("linear1", lipschitz::Linear(lipschitz::LinearOptions{784, 128}));
  model->push_back("relu", torch::nn::ReLU());
  model->push_back("linear2", lipschitz::Linear(lipschitz::LinearOptions{128, 10}));
  return model;
}

struct Side {
  Side(const std::string& network, std::int64_t the_batch)
      : batch(the_batch),
        model(network == "relu-mlp" ? relu_mlp()
                                    : lipschitz::make_network(network, {{1, 28, 28}, 10})),
        bounded(model, lipschitz::Loss({.temperature = 8}, 10)),
        optimizer(model->parameters(), kRate),
        inputs(torch::rand({batch, 1, 28, 28})),
        labels(torch::randint(10, {batch})) {}

  PlanOptions plan(bool clipless) const {
    PlanOptions options{.dataset_size = batch,
                        .batch_size = batch,
                        .steps = 1'000'000'000,
                        .sampling = accounting::Sampling::kNone,
                        .noise_multiplier = 1};
    if (clipless) options.bounded = bounded.bounded_noise(NoiseStrategy::kGlobal, 1);
    return options;
  }

  std::int64_t batch;
  torch::nn::Sequential model;
  lipschitz::LipschitzModel bounded;
  torch::optim::SGD optimizer;
  torch::Tensor inputs;
  torch::Tensor labels;
  std::optional<PrivacyEngine> engine;
};

Step make_step(const std::string& path, const std::string& network, std::int64_t batch) {
  auto side = std::make_shared<Side>(network, batch);
  if (path == "plain") {
    return [side] {
      side->optimizer.zero_grad();
      side->bounded.loss()(side->model->forward(side->inputs), side->labels).mean().backward();
      side->optimizer.step();
      side->bounded.project();
    };
  }
  if (path == "clipless") {
    side->engine.emplace(side->bounded, *side->model, side->optimizer, Plan(side->plan(true)));
    return [side] {
      side->engine->next_batch();
      side->engine->step(side->inputs, side->labels);
    };
  }
  side->engine.emplace(*side->model, side->optimizer, Plan(side->plan(false)));
  return [side] {
    side->engine->next_batch();
    side->engine->step(side->bounded.loss()(side->model->forward(side->inputs), side->labels));
    side->bounded.project();
  };
}

double milliseconds_of(const Step& step) {
  const auto start = std::chrono::steady_clock::now();
  step();
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  return spent.count();
}

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

// Of the second step, above what there was before the first: gradients that a step leaves behind
// count.
std::int64_t peak_of(const Step& step) {
  const auto before = bench::live_bytes();
  step();
  bench::reset_peak();
  step();
  return bench::peak_bytes() - before;
}

// All paths of a network and batch, in turns.
void measure(const std::string& network, std::int64_t batch, json& all) {
  std::vector<std::string> paths{"plain", "clipless"};
  if (network == "relu-mlp") paths.emplace_back("dp-sgd");
  std::vector<Step> steps;
  std::vector<std::int64_t> peaks;
  for (const auto& path : paths) make_step(path, network, batch)();  // LibTorch's own buffers
  for (const auto& path : paths) {
    steps.push_back(make_step(path, network, batch));
    peaks.push_back(peak_of(steps.back()));
  }
  const int repeats = batch > 2000 ? 11 : 41;
  std::vector<std::vector<double>> times(paths.size());
  for (int i = 0; i < repeats; ++i) {
    for (std::size_t p = 0; p < paths.size(); ++p) times[p].push_back(milliseconds_of(steps[p]));
  }
  const double plain = median(times[0]);
  for (std::size_t p = 0; p < paths.size(); ++p) {
    const double ms = median(times[p]);
    std::printf("| %-10s | %5ld | %-8s | %8.2f | %5.2f | %7.1f |\n", network.c_str(),
                static_cast<long>(batch), paths[p].c_str(), ms, ms / plain,
                static_cast<double>(peaks[p]) / 1e6);
    all.push_back({{"work", network},
                   {"batch", batch},
                   {"path", paths[p]},
                   {"ms", ms},
                   {"ratio_to_plain", ms / plain},
                   {"peak_bytes", peaks[p]}});
  }
  std::fflush(stdout);
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): a benchmark ends where it fails
int main(int argc, char** argv) {
  sotto::restart_with_chosen_blas_kernels(argv);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && (arguments.size() != 2 || arguments[0] != "--json")) {
    std::fprintf(stderr, "scripts/bench clipless: expected nothing or --json FILE\n");
    return 2;
  }
  mallopt(M_MMAP_THRESHOLD, 1 << 30);  // as the program does; all paths gain
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  at::set_num_threads(static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  std::puts(
      "| network | batch | path | ms | ratio to plain | peak MB above the model |\n"
      "|---|---|---|---|---|---|");
  json all = json::array();
  for (const std::string network : {"relu-mlp", "lip-mlp", "lip-cnn", "lip-resnet"}) {
    for (const std::int64_t batch : {64, 256, 1024, 4096, 10'000}) measure(network, batch, all);
  }
  if (!arguments.empty()) write_file_atomically(arguments[1], all.dump(2) + "\n");
  return 0;
}
