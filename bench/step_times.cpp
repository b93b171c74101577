#include "bench/step_times.h"

#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <map>

#include "bench/malloc_meter.h"
#include "train/measured_step.h"

namespace sotto::bench {
namespace {

using nlohmann::json;
using train::StepPath;
using train::Workload;

void drop_gradients(const Workload& workload) {
  for (const auto& parameter : workload.network.module->parameters()) {
    parameter.mutable_grad() = at::Tensor();
  }
}

// Everything that a path allocates beyond the model and its data, from its making on.
std::int64_t peak_of(StepPath path, Workload& workload) {
  drop_gradients(workload);
  const auto before = live_bytes();
  reset_peak();
  const auto step = train::make_step(path, workload);
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
std::vector<int> thread_counts(StepPath path, int threads) {
  const bool by_libtorch = path == StepPath::kPlain || path == StepPath::kGraph;
  return by_libtorch && threads > 1 ? std::vector<int>{1, threads} : std::vector<int>{threads};
}

std::string benchmark_name(StepPath path, int threads) {
  return std::string(to_string(path)) + "/" + std::to_string(threads);
}

// Threads of OpenBLAS spin for a while after their last product, and would take a core from the
// path measured next.
void let_other_threads_sleep(const std::function<void()>& step) {
  constexpr double kUntilAsleep = 100;
  for (double ms = 0; ms < kUntilAsleep;) ms += milliseconds_of(step);
}

void register_step(StepPath path, const std::function<void()>& step, int threads) {
  at::set_num_threads(threads);
  const double once = (step(), milliseconds_of(step));
  const auto iterations = static_cast<std::int64_t>(std::clamp(60.0 / once, 1.0, 20.0));
  benchmark::RegisterBenchmark(benchmark_name(path, threads).c_str(),
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

// Returns the paths that the network can take.
std::vector<StepPath> register_paths(Workload& workload, std::span<const StepPath> paths,
                                     int threads) {
  std::vector<StepPath> taken;
  for (const auto path : paths) {
    const auto step = train::make_step(path, workload);
    if (!step) continue;
    for (const int count : thread_counts(path, threads)) register_step(path, step, count);
    taken.push_back(path);
  }
  return taken;
}

struct BestTime {
  double ms = std::numeric_limits<double>::infinity();
  int threads = 0;
};

BestTime best_time(Collector& collector, StepPath path, int threads) {
  BestTime best;
  for (const int count : thread_counts(path, threads)) {
    const double ms = collector.median(benchmark_name(path, count));
    if (ms < best.ms) best = {ms, count};
  }
  return best;
}

void run_registered(Collector& collector) {
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
}

}  // namespace

double milliseconds_of(const std::function<void()>& step) {
  const auto start = std::chrono::steady_clock::now();
  step();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

json measure_steps(const std::string& name, Workload& workload, std::span<const StepPath> paths,
                   int threads) {
  std::map<StepPath, std::int64_t> peaks;
  for (const auto path : paths) peaks[path] = peak_of(path, workload);
  drop_gradients(workload);
  const auto taken = register_paths(workload, paths, threads);
  Collector collector;
  run_registered(collector);
  at::set_num_threads(threads);
  const double plain = best_time(collector, StepPath::kPlain, threads).ms;
  json rows = json::array();
  for (const auto path : taken) {
    const auto [ms, used] = best_time(collector, path, threads);
    rows.push_back({{"work", name},
                    {"batch", workload.batch},
                    {"path", train::to_string(path)},
                    {"ms", ms},
                    {"ratio_to_plain", ms / plain},
                    {"samples_per_second", 1000 * static_cast<double>(workload.batch) / ms},
                    {"peak_bytes", peaks[path]},
                    {"threads", used},
                    {"parameters", workload.network.parameters()}});
  }
  return rows;
}

void print_times_head() {
  std::puts(
      "| work | batch | path | ms | ratio to plain | samples/s | peak MB above the model | "
      "threads | parameters |\n|---|---|---|---|---|---|---|---|---|");
}

void print_times(const json& row) {
  std::printf("| %-11s | %5ld | %-16s | %9.2f | %6.2f | %9.0f | %8.1f | %d | %9ld |\n",
              row.at("work").get<std::string>().c_str(), row.at("batch").get<long>(),
              row.at("path").get<std::string>().c_str(), row.at("ms").get<double>(),
              row.at("ratio_to_plain").get<double>(), row.at("samples_per_second").get<double>(),
              row.at("peak_bytes").get<double>() / 1e6, row.at("threads").get<int>(),
              row.at("parameters").get<long>());
  std::fflush(stdout);
}

}  // namespace sotto::bench
