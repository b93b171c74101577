// How long a training step takes by each path, and how much memory, side by side.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "train/step_path.h"
#include "train/workload.h"

namespace sotto::bench {

double milliseconds_of(const std::function<void()>& step);

// A row for each path that the network can take; `paths` must have the plain one among them. Keys:
// work, batch, path, ms, ratio_to_plain, samples_per_second, peak_bytes (above the model and its
// data), threads, parameters. Repetitions of all paths are made in random order, so that none has
// the machine's good or bad minute for itself. Leaves LibTorch with `threads` threads.
nlohmann::json measure_steps(const std::string& name, train::Workload& workload,
                             std::span<const train::StepPath> paths, int threads);

// A row as a line of a table, and what is above the first.
void print_times_head();
void print_times(const nlohmann::json& row);

}  // namespace sotto::bench
