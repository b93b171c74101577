// What `sotto sweep` was asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "sweep/sweep_settings.h"

namespace sotto::cli {

struct SweepRequest {
  std::optional<sweep::SweepSettings> settings;  // nothing: go on with the sweep in `output`
  std::filesystem::path output;
  std::optional<std::int64_t> jobs;
  std::optional<std::uint64_t> memory;  // bytes
  bool json = false;
};

// Nothing if help was asked for and printed. Throws UsageError, or InvalidArgument.
std::optional<SweepRequest> parse_sweep_request(const Arguments& arguments);

}  // namespace sotto::cli
