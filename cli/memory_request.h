// What `sotto memory` is asked.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "sotto/settings/training_config.h"
#include "train/step_path.h"
#include "train/workload.h"

namespace sotto::cli {

// Nothing: whichever path sotto train would use.
using MemoryMethod = std::optional<train::StepPath>;

struct MemoryRequest {
  std::string model;
  std::function<train::Network()> make_network;  // throws UsageError if there is none of that name
  std::vector<std::int64_t> batches;             // at least one
  std::vector<MemoryMethod> methods;             // at least one
  settings::TrainingConfig config;               // for its optimizer
  std::optional<double> limit;                   // bytes
  std::optional<std::string> csv, plot;          // files to write
  int threads = 1;
  bool measure = false;
  bool json = false;
};

// Nothing if help was printed. Throws UsageError.
std::optional<MemoryRequest> parse_memory_request(const Arguments& arguments);

}  // namespace sotto::cli
