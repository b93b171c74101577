// A sweep described in a TOML file: docs/sweeps.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "sweep/sweep_settings.h"

namespace sotto::sweep {

struct SweepFile {
  SweepSettings settings;  // flags in the order of the file; their names are not checked
  std::optional<std::filesystem::path> output;
  std::optional<std::int64_t> jobs;
  std::optional<std::uint64_t> memory;  // bytes
};

// Throws InvalidArgument, naming file, key and what is accepted; FileError if it cannot be read.
SweepFile read_sweep_file(const std::filesystem::path& path);

}  // namespace sotto::sweep
