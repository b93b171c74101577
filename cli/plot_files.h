// Which files a plot is written to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/flags.h"

namespace sotto::cli {

enum class PlotFormat { kSvg, kPng, kCsv };

struct PlotFile {
  PlotFormat format;
  std::filesystem::path path;
};

// --output names a file, whose ending is the format; --format names one or several formats instead,
// and --output may then be without an ending. Default: `stem`.svg in the current folder. Throws
// UsageError, also if the folder is not there.
std::vector<PlotFile> plot_files(const FlagText& output, const FlagText& format,
                                 const std::string& stem);

}  // namespace sotto::cli
