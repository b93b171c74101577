// What a step costs by each path, side by side in one run: time, and memory above the model.
//
// Usage: training_bench [--only WORK] [--scaling | --profile] [--json FILE]
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "bench/allocation_meter.h"
#include "bench/step_profile.h"
#include "engine/noise.h"
#include "sotto/core/atomic_file.h"
#include "sotto/core/blas_kernels.h"
#include "sotto/models/models.h"
#include "train/step_paths.h"

namespace {

using namespace sotto::bench;
using namespace sotto::train;
using nlohmann::json;

struct Request {
  std::string only;
  std::string json_file;
  bool scaling = false;
  bool profile = false;
};

const std::vector<std::string>& work_names() {
  static const std::vector<std::string> names = {"cnn",      "mlp",  "vgg-head",
                                                 "resnet20", "lstm", "transformer"};
  return names;
}

// The batches at which a work is measured.
std::vector<std::int64_t> batches_of(const std::string& name) {
  if (name == "cnn" || name == "mlp") return {64, 256, 1024};
  if (name == "vgg-head") return {16, 64};
  return {64};
}

// `scale` multiplies the width of the mlp's hidden layers.
Network network_named(const std::string& name, std::int64_t scale) {
  const auto of_library = [&](std::vector<std::int64_t> shape) {
    return network_of(sotto::models::make_model(name, {shape, 10}), shape, 10);
  };
  if (name == "cnn") return of_library({1, 28, 28});
  if (name == "resnet20") return of_library({3, 32, 32});
  return make_benchmark(name == "mlp" ? "wide-mlp" : name, scale);
}

Work make_work(const std::string& name, std::int64_t batch, std::int64_t scale = 1) {
  return {network_named(name, scale), batch};
}

double milliseconds_of(const std::function<void()>& step) {
  const auto start = std::chrono::steady_clock::now();
  step();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

void drop_gradients(const Work& work) {
  for (auto parameter : work.network.module->parameters())
    parameter.mutable_grad() = torch::Tensor();
}

// Everything that a path allocates beyond the model and its data, from its making on.
std::int64_t peak_of(const std::string& path, Work& work) {
  drop_gradients(work);
  const auto before = live_bytes();
  reset_peak();
  const auto step = make_path(path, work);
  if (!step) return 0;
  step();
  step();
  return peak_bytes() - before;
}

// Keeps the time of every repetition, by benchmark.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const auto& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      times_[run.run_name.function_name].push_back(run.GetAdjustedRealTime());
    }
  }
  double median(const std::string& name) {
    auto& times = times_.at(name);
    std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2),
                     times.end());
    return times[times.size() / 2];
  }

 private:
  std::map<std::string, std::vector<double>> times_;
};

// LibTorch's products run on OpenBLAS' threads, which OpenMP's disturb: its paths are measured with
// one OpenMP thread and with all, and the better counts.
std::vector<int> thread_counts(const std::string& path, int threads) {
  const bool by_libtorch = path == "plain" || path == "graph";
  return by_libtorch && threads > 1 ? std::vector<int>{1, threads} : std::vector<int>{threads};
}

std::string with_threads(const std::string& path, int threads) {
  return path + "/" + std::to_string(threads);
}

// Threads of OpenBLAS spin for a while after their last product, and would take a core from the
// path measured next.
void let_other_threads_sleep(const std::function<void()>& step) {
  constexpr double kUntilAsleep = 100;
  for (double ms = 0; ms < kUntilAsleep;) ms += milliseconds_of(step);
}

void register_step(const std::string& path, const std::function<void()>& step, int threads) {
  at::set_num_threads(threads);
  const double once = (step(), milliseconds_of(step));
  const auto iterations = static_cast<std::int64_t>(std::clamp(60.0 / once, 1.0, 20.0));
  benchmark::RegisterBenchmark(with_threads(path, threads).c_str(),
                               [step, threads](benchmark::State& state) {
                                 at::set_num_threads(threads);
                                 let_other_threads_sleep(step);
                                 for (auto unused : state) step();
                               })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->Iterations(iterations)
      ->Repetitions(21);
}

struct BestTime {
  double ms = std::numeric_limits<double>::infinity();
  int threads = 0;
};

// All paths of one work; their repetitions in random order, so that none has the machine's good or
// bad minute for itself.
json measure(const std::string& name, Work& work, const std::vector<std::string>& paths,
             int threads) {
  std::map<std::string, std::int64_t> peaks;
  std::map<std::string, std::function<void()>> steps;
  for (const auto& path : paths) peaks[path] = peak_of(path, work);
  drop_gradients(work);
  for (const auto& path : paths) {
    const auto step = make_path(path, work);
    if (!step) continue;
    for (const int count : thread_counts(path, threads)) register_step(path, step, count);
    steps[path] = step;
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
  at::set_num_threads(threads);
  const auto best = [&](const std::string& path) {
    BestTime time;
    for (const int count : thread_counts(path, threads)) {
      const double ms = collector.median(with_threads(path, count));
      if (ms < time.ms) time = {ms, count};
    }
    return time;
  };
  const double plain = best("plain").ms;
  json rows = json::array();
  for (const auto& path : paths) {
    if (!steps.contains(path)) continue;
    const auto [ms, used] = best(path);
    rows.push_back({{"work", name},
                    {"batch", work.batch},
                    {"path", path},
                    {"ms", ms},
                    {"ratio_to_plain", ms / plain},
                    {"samples_per_second", 1000 * static_cast<double>(work.batch) / ms},
                    {"peak_bytes", peaks[path]},
                    {"threads", used},
                    {"parameters", work.network.parameters()}});
  }
  return rows;
}

void print_head() {
  std::puts(
      "| work | batch | path | ms | ratio to plain | samples/s | peak MB above the model | "
      "threads | parameters |\n|---|---|---|---|---|---|---|---|---|");
}

void print_rows(const json& rows) {
  for (const auto& row : rows) {
    std::printf("| %-11s | %5ld | %-16s | %9.2f | %6.2f | %9.0f | %8.1f | %d | %9ld |\n",
                row.at("work").get<std::string>().c_str(), row.at("batch").get<long>(),
                row.at("path").get<std::string>().c_str(), row.at("ms").get<double>(),
                row.at("ratio_to_plain").get<double>(), row.at("samples_per_second").get<double>(),
                row.at("peak_bytes").get<double>() / 1e6, row.at("threads").get<int>(),
                row.at("parameters").get<long>());
  }
  std::fflush(stdout);
}

void run(const std::string& name, Work work, const std::vector<std::string>& paths, int threads,
         json& all) {
  at::set_num_threads(threads);
  for (const auto& row : measure(name, work, paths, threads)) {
    print_rows(json::array({row}));
    all.push_back(row);
  }
}

int all_threads() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

// Noise alone: what ten million parameters cost, whatever the model.
void run_noise(json& all) {
  at::set_num_threads(all_threads());
  sotto::Noise noise;
  const torch::Tensor sum = torch::zeros({10'000'000}, torch::kDouble);
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) {
    times.push_back(milliseconds_of([&] { noise.release(sum, 1, 1, 256, torch::kFloat); }));
  }
  std::nth_element(times.begin(), times.begin() + 4, times.end());
  std::printf("noise on 10 million parameters: %.1f ms, %d threads\n", times[4],
              at::get_num_threads());
  all.push_back({{"work", "noise"}, {"parameters", sum.numel()}, {"ms", times[4]}});
}

void run_works(const std::string& only, json& all) {
  for (const auto& name : work_names()) {
    if (!only.empty() && only != name) continue;
    for (const auto batch : batches_of(name)) {
      run(name, make_work(name, batch), path_names(), all_threads(), all);
    }
  }
}

void run_profiles(const std::string& only, json& all) {
  print_profile_head();
  at::set_num_threads(all_threads());
  for (const auto& name : work_names()) {
    if (!only.empty() && only != name) continue;
    for (const auto batch : batches_of(name)) {
      for (const std::string path : {"plain", "graph", "fused"}) {
        Work work = make_work(name, batch);
        json profile = profile_step(path, work);
        if (profile.is_null()) continue;
        print_profile(name, work, path, profile);
        profile.update({{"work", name}, {"batch", batch}, {"path", path}});
        all.push_back(profile);
      }
    }
  }
}

void run_scaling(json& all) {
  const std::vector<std::string> paths = {"plain", "graph", "fused"};
  for (const int threads : {1, 2}) {
    for (const std::int64_t batch : {16, 64, 256, 1024, 4096}) {
      run("cnn", make_work("cnn", batch), paths, threads, all);
    }
  }
  for (const std::int64_t scale : {1, 2, 4}) {
    run("mlp", make_work("mlp", 256, scale), paths, all_threads(), all);
  }
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
      const auto& names = work_names();
      if (request.only != "noise" &&
          std::find(names.begin(), names.end(), request.only) == names.end()) {
        throw std::invalid_argument("--only '" + request.only +
                                    "': expected cnn, mlp, vgg-head, resnet20, lstm, transformer "
                                    "or noise");
      }
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

}  // namespace

int main(int argc, char** argv) {
  sotto::restart_with_chosen_blas_kernels(argv);
  try {
    mallopt(M_MMAP_THRESHOLD, 1 << 30);  // as the program does; all paths gain
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    const Request request = parse(argc, argv);
    char program[] = "training_bench";
    char interleave[] = "--benchmark_enable_random_interleaving=true";
    char* arguments[] = {program, interleave};
    int count = 2;
    benchmark::Initialize(&count, arguments);
    json all = json::array();
    if (request.profile) {
      run_profiles(request.only, all);
    } else if (request.scaling) {
      print_head();
      run_scaling(all);
    } else {
      print_head();
      run_works(request.only, all);
      if (request.only.empty() || request.only == "noise") run_noise(all);
    }
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
