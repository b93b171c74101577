// What a step costs by each path, side by side in one run: time, and memory above the model.
//
// Usage: training_bench [--only WORK] [--scaling | --profile] [--json FILE]
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>
#include <thread>

#include "bench/step_profile.h"
#include "bench/step_times.h"
#include "bench/workloads.h"
#include "core/atomic_file.h"
#include "core/blas_kernels.h"
#include "engine/noise.h"

namespace {

using namespace sotto::bench;
using nlohmann::json;
using sotto::train::kStepPaths;
using sotto::train::StepPath;
using sotto::train::Workload;

constexpr std::array kMainPaths = {StepPath::kPlain, StepPath::kGraph, StepPath::kFused};

struct Request {
  std::string only;
  std::string json_file;
  bool scaling = false;
  bool profile = false;
};

void time_workload(const std::string& name, Workload workload, std::span<const StepPath> paths,
                   int threads, json& all) {
  at::set_num_threads(threads);
  for (const auto& row : measure_steps(name, workload, paths, threads)) {
    print_times(row);
    all.push_back(row);
  }
}

int all_threads() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

// Noise alone: what ten million parameters cost, whatever the model.
void time_noise(json& all) {
  at::set_num_threads(all_threads());
  sotto::Noise noise;
  const torch::Tensor sum = torch::zeros({10'000'000}, torch::kDouble);
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) {
    times.push_back(
        milliseconds_of([&] { static_cast<void>(noise.release(sum, 1, 1, 256, torch::kFloat)); }));
  }
  std::nth_element(times.begin(), times.begin() + 4, times.end());
  std::printf("noise on 10 million parameters: %.1f ms, %d threads\n", times[4],
              at::get_num_threads());
  all.push_back({{"work", "noise"}, {"parameters", sum.numel()}, {"ms", times[4]}});
}

std::vector<std::string> chosen_workloads(const std::string& only) {
  return only.empty() ? workload_names() : std::vector<std::string>{only};
}

void time_workloads(const std::string& only, json& all) {
  for (const auto& name : chosen_workloads(only)) {
    for (const auto batch : batch_sizes_of(name)) {
      time_workload(name, make_workload(name, batch), kStepPaths, all_threads(), all);
    }
  }
}

void profile_workload(const std::string& name, std::int64_t batch, json& all) {
  for (const auto path : kMainPaths) {
    Workload workload = make_workload(name, batch);
    json profile = profile_step(path, workload);
    if (profile.is_null()) continue;
    print_profile(name, workload, path, profile);
    profile.update({{"work", name}, {"batch", batch}, {"path", sotto::train::to_string(path)}});
    all.push_back(profile);
  }
}

void profile_workloads(const std::string& only, json& all) {
  print_profile_head();
  at::set_num_threads(all_threads());
  for (const auto& name : chosen_workloads(only)) {
    for (const auto batch : batch_sizes_of(name)) profile_workload(name, batch, all);
  }
}

void time_scaling(json& all) {
  for (const int threads : {1, 2}) {
    for (const std::int64_t batch : {16, 64, 256, 1024, 4096}) {
      time_workload("cnn", make_workload("cnn", batch), kMainPaths, threads, all);
    }
  }
  for (const std::int64_t scale : {1, 2, 4}) {
    time_workload("mlp", make_workload("mlp", 256, scale), kMainPaths, all_threads(), all);
  }
}

void require_known_work(const std::string& name) {
  const auto& names = workload_names();
  if (name == "noise" || std::find(names.begin(), names.end(), name) != names.end()) return;
  throw std::invalid_argument("--only '" + name +
                              "': expected cnn, mlp, vgg-head, resnet20, lstm, transformer "
                              "or noise");
}

Request parse(int argc, char** argv) {
  Request request;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    const bool has_value = i + 1 < argc;
    if (flag == "--scaling") {
      request.scaling = true;
    } else if (flag == "--profile") {
      request.profile = true;
    } else if (flag == "--json" && has_value) {
      request.json_file = argv[++i];
    } else if (flag == "--only" && has_value) {
      request.only = argv[++i];
      require_known_work(request.only);
    } else {
      throw std::invalid_argument("'" + flag +
                                  "': expected --only WORK, --scaling, --profile or --json FILE");
    }
  }
  if (request.profile && (request.scaling || request.only == "noise")) {
    throw std::invalid_argument("--profile: goes neither with --scaling nor with --only noise");
  }
  return request;
}

json run(const Request& request) {
  json all = json::array();
  if (request.profile) {
    profile_workloads(request.only, all);
    return all;
  }
  print_times_head();
  if (request.scaling) {
    time_scaling(all);
    return all;
  }
  if (request.only != "noise") time_workloads(request.only, all);
  if (request.only.empty() || request.only == "noise") time_noise(all);
  return all;
}

void initialise_benchmark() {
  static char program[] = "training_bench";  // kept by the library
  static char interleave[] = "--benchmark_enable_random_interleaving=true";
  char* arguments[] = {program, interleave};
  int count = 2;
  benchmark::Initialize(&count, arguments);
}

}  // namespace

int main(int argc, char** argv) {
  sotto::restart_with_chosen_blas_kernels(argv);
  try {
    mallopt(M_MMAP_THRESHOLD, 1 << 30);  // as the program does; all paths gain
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    const Request request = parse(argc, argv);
    initialise_benchmark();
    const json all = run(request);
    if (!request.json_file.empty()) {
      sotto::write_file_atomically(request.json_file, all.dump(2) + "\n");
    }
    return 0;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "scripts/bench: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "scripts/bench: %s\n", error.what());
    return 1;
  }
}
