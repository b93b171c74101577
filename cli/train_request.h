// What `sotto train` was asked for.
#pragma once

#include <filesystem>
#include <optional>

#include "cli/command.h"
#include "sotto/settings/training_config.h"

namespace sotto::cli {

struct TrainRequest {
  settings::TrainingConfig config;
  std::filesystem::path output;
  bool resume = false;
  bool finish = false;
  bool json = false;
  bool verbose = false;
  bool profile = false;
  int threads = 0;
};

// Nothing if help, or the recipe, was asked for and printed. Throws UsageError, or InvalidArgument.
std::optional<TrainRequest> parse_train_request(const Arguments& arguments);

}  // namespace sotto::cli
