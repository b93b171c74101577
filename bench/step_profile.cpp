#include "bench/step_profile.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "train/measured_step.h"

namespace sotto::bench {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

constexpr const char* kParts[] = {"ms", "forward", "gradients", "noise", "optimizer", "other"};

}  // namespace

nlohmann::json profile_step(train::StepPath path, train::Workload& workload) {
  constexpr int kWarm = 3;
  Clock::time_point start;
  double forward = 0;
  StepSeconds now;
  train::StepOptions options;
  options.after_forward = [&] { forward += milliseconds_since(start); };
  options.after_private_step = [&](const StepSeconds& seconds) { now = seconds; };
  const auto step = train::make_step(path, workload, options);
  if (!step) return nullptr;
  double once = 0;
  for (int i = 0; i < kWarm; ++i) {
    start = Clock::now();
    step();
    once = milliseconds_since(start);
  }
  const StepSeconds before = now;
  forward = 0;
  double total = 0;
  const int steps = std::clamp(static_cast<int>(1000 / once), 5, 200);
  for (int i = 0; i < steps; ++i) {
    start = Clock::now();
    step();
    total += milliseconds_since(start);
  }
  const auto part = [&](double StepSeconds::*which) {
    return 1000 * (now.*which - before.*which) / steps;
  };
  nlohmann::json row = {{"ms", total / steps},
                        {"forward", forward / steps},
                        {"gradients", part(&StepSeconds::gradients)},
                        {"noise", part(&StepSeconds::noise)},
                        {"optimizer", part(&StepSeconds::update)}};
  double rest = row.at("ms");
  for (const char* name : {"forward", "gradients", "noise", "optimizer"}) {
    rest -= row.at(name).get<double>();
  }
  row["other"] = rest;
  return row;
}

void print_profile_head() {
  std::puts(
      "| network | batch | path | ms | forward | gradients | noise | optimizer | other |\n"
      "|---|---|---|---|---|---|---|---|---|");
}

void print_profile(const std::string& name, const train::Workload& workload, train::StepPath path,
                   const nlohmann::json& profile) {
  std::printf("| %s | %ld | %s |", name.c_str(), static_cast<long>(workload.batch),
              train::to_string(path).data());
  for (const char* part : kParts) std::printf(" %.1f |", profile.at(part).get<double>());
  std::puts("");
  std::fflush(stdout);
}

}  // namespace sotto::bench
