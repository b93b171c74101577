// Flags that all commands share that train something into a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags.h"

namespace sotto::cli {

// "1x28x28", or "13" for a table. Throws UsageError.
std::vector<std::int64_t> shape_flag(const std::string& flag, const std::string& text);

// runs/DATA-WHAT-DATE, for a run that was given no folder.
std::filesystem::path dated_folder(const std::string& dataset, std::string_view what);

// For --resume or --finish, one of which was given. A run that was begun has its own settings:
// nothing but `allowed` may be said again, and --output must name it.
void require_begun_run(const FlagSet& app, const FlagText& output,
                       std::initializer_list<std::string_view> allowed);

}  // namespace sotto::cli
