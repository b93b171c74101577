// What a private step of dp-GAN's critic costs beside the same step without privacy: losses with
// gradient penalty, their gradients, Adam.
//
// Usage: gan_bench [--json FILE]
#include <malloc.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/atomic_file.h"
#include "core/blas_kernels.h"
#include "gan/critic_losses.h"
#include "gan/gan_data.h"
#include "sotto/engine/privacy_engine.h"

namespace {

using namespace sotto;
using nlohmann::json;

struct Workload {
  const char* name;
  gan::Networks networks;
  std::vector<std::int64_t> sample;
};

const std::vector<Workload> kWorkloads{{"deconv", gan::Networks::kDeconv, {1, 28, 28}},
                                       {"dcgan", gan::Networks::kDcgan, {1, 28, 28}},
                                       {"autoencoder", gan::Networks::kAutoencoder, {1, 28, 28}},
                                       {"mlp", gan::Networks::kMlp, {1, 28, 28}},
                                       {"mlp-table", gan::Networks::kMlp, {100}}};

struct Side {
  Side(const Workload& workload, std::int64_t batch, bool is_private)
      : critic(workload.networks, gan::NetworkShape{workload.sample, 10, 16, 32, {}}),
        optimizer(critic->parameters(), torch::optim::AdamOptions(1e-4).betas({0.5, 0.9})) {
    auto sizes = workload.sample;
    sizes.insert(sizes.begin(), batch);
    pairs = {torch::rand(sizes), torch::rand(sizes), torch::rand(sizes),
             gan::label_columns(torch::randint(10, {batch}), 10)};
    if (!is_private) return;
    engine.emplace(*critic, optimizer,
                   Plan({.dataset_size = batch,
                         .batch_size = batch,
                         .steps = 1'000'000'000,
                         .sampling = accounting::Sampling::kNone,
                         .noise_multiplier = 1}));
  }

  void step() {
    if (engine) {
      engine->next_batch();
      engine->step(gan::critic_losses(critic, pairs, {}));
      return;
    }
    // As it is written in LibTorch: the slope by a recorded backward pass.
    optimizer.zero_grad();
    const auto mixed = pairs.mixed.detach().requires_grad_(true);
    const auto slope = torch::autograd::grad({critic->forward(mixed, pairs.labels).sum()}, {mixed},
                                             {}, {}, /*create_graph=*/true)[0];
    const auto losses = critic->forward(pairs.fake, pairs.labels) -
                        critic->forward(pairs.real, pairs.labels) +
                        10 * (slope.flatten(1).norm(2, 1) - 1).square();
    losses.mean().backward();
    optimizer.step();
  }

  double milliseconds() {
    const auto start = std::chrono::steady_clock::now();
    step();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  }

  gan::Critic critic;
  torch::optim::Adam optimizer;
  gan::Pairs pairs;
  std::optional<PrivacyEngine> engine;
};

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

json measure(const Workload& workload, std::int64_t batch) {
  Side plain(workload, batch, false);
  Side with_privacy(workload, batch, true);
  std::vector<double> of_plain, of_private;
  double total = 0;
  for (int i = 0; i < 200 && (i < 7 || total < 8000); ++i) {
    const double a = plain.milliseconds();
    const double b = with_privacy.milliseconds();
    total += a + b;
    if (i < 2) continue;
    of_plain.push_back(a);
    of_private.push_back(b);
  }
  const double a = median(of_plain);
  const double b = median(of_private);
  std::printf("| %s | %lld | %.1f | %.1f | %.2f |\n", workload.name, static_cast<long long>(batch),
              a, b, b / a);
  std::fflush(stdout);
  return {{"work", workload.name},
          {"batch", batch},
          {"plain_ms", a},
          {"private_ms", b},
          {"ratio", b / a}};
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): a benchmark ends where it fails
int main(int argc, char** argv) {
  sotto::restart_with_chosen_blas_kernels(argv);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  at::set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
  json rows = json::array();
  std::printf("| critic | batch | plain, ms | private, ms | ratio |\n|---|---|---|---|---|\n");
  for (const auto& workload : kWorkloads) {
    for (const std::int64_t batch : {64, 256}) rows.push_back(measure(workload, batch));
  }
  if (argc == 3 && std::string(argv[1]) == "--json") {
    sotto::write_file_atomically(argv[2], rows.dump(2) + "\n");
  }
}
