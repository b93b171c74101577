// What came out of a sweep.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sweep/sweep_folder.h"
#include "sweep/sweep_plan.h"
#include "sweep/swept_run.h"
#include "sweep/tuning_cost.h"

namespace sotto::sweep {

struct Spread {
  double mean = 0;
  std::optional<double> deviation = {};  // sample standard deviation; nothing for a single value
};
// Nothing of nothing. One infinite value makes the mean infinite, and leaves no deviation.
std::optional<Spread> spread_of(const std::vector<double>& values);

struct ConfigurationResult {
  std::size_t finished = 0;  // runs
  std::size_t failed = 0;
  std::optional<Spread> accuracy = {};
  std::optional<Spread> epsilon = {};  // of single runs
  double largest_epsilon = 0;
  std::optional<std::size_t> best_run = {};  // the most accurate
};

struct SweepSummary {
  std::vector<SweptRun> runs;
  std::vector<ConfigurationResult> configurations;
  // The most accurate on average, of equals the one with less ε; one without privacy only if there
  // is no other.
  std::optional<std::size_t> best;
  // Configurations with finite ε such that none is at least as accurate for no larger ε; by ε.
  std::vector<std::size_t> pareto;
  TuningCost tuning;

  std::size_t count(RunStatus status) const;
  double epsilon_of_best() const;  // 0 without a best one
};

// Reads what the sweep noted of its runs, and their folders. Throws InvalidArgument, naming the
// file, if such a note cannot be read.
SweepSummary summarise(const SweepPlan& plan, const SweepFolder& folder);

}  // namespace sotto::sweep
