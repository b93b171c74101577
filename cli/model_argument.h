// The model that a command is to use.
#pragma once

#include <filesystem>
#include <string>

#include "cli/flags.h"
#include "sotto/train/model_file.h"
#include "sotto/train/training_config.h"

namespace sotto::cli {

// `text` is a model file, or the folder of a finished run. Throws UsageError if it is neither.
std::filesystem::path model_path(const std::string& text);

// The data settings of the run beside a model file; nothing if there is no run.
std::optional<train::TrainingConfig> config_beside(const std::filesystem::path& model);

}  // namespace sotto::cli
