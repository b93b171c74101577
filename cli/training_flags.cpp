#include "cli/training_flags.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <sstream>

namespace sotto::cli {

std::vector<std::int64_t> shape_flag(const std::string& flag, const std::string& text) {
  std::vector<std::int64_t> shape;
  std::stringstream parts(text);
  for (std::string part; std::getline(parts, part, 'x');) shape.push_back(count_flag(flag, part));
  if (shape.size() != 1 && shape.size() != 3) {
    throw UsageError(flag + " '" + text + "': expected COLUMNS or CHANNELSxHEIGHTxWIDTH");
  }
  return shape;
}

std::filesystem::path dated_folder(const std::string& dataset, std::string_view what) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char date[32];
  std::strftime(date, sizeof date, "%Y%m%d-%H%M%S", std::localtime(&now));
  const auto kind = dataset.substr(0, dataset.find(':'));
  return std::filesystem::path("runs") / (kind + "-" + std::string(what) + "-" + date);
}

void require_begun_run(const FlagSet& app, const FlagText& output,
                       std::initializer_list<std::string_view> allowed) {
  const bool resumed = app.count("--resume") > 0;
  if (resumed && app.count("--finish") > 0) {
    throw UsageError("--finish: not together with --resume");
  }
  for (const auto& name : app.given()) {
    if (std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
      throw UsageError(name + ": a run keeps the settings that it began with; leave it out");
    }
  }
  if (!output) {
    throw UsageError(std::string(resumed ? "--resume" : "--finish") +
                     ": --output must name the run's folder");
  }
  const std::filesystem::path folder = folder_flag("--output", *output);
  if (!std::filesystem::exists(folder / "config.json")) {
    throw UsageError("--output '" + *output + "': no run to resume there (no config.json)");
  }
}

}  // namespace sotto::cli
