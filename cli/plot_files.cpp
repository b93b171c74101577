#include "cli/plot_files.h"

#include <algorithm>
#include <array>
#include <optional>

namespace sotto::cli {
namespace {

struct NamedFormat {
  const char* name;
  PlotFormat format;
};
constexpr std::array kFormats = {NamedFormat{"svg", PlotFormat::kSvg},
                                 NamedFormat{"png", PlotFormat::kPng},
                                 NamedFormat{"csv", PlotFormat::kCsv}};

std::optional<NamedFormat> format_named(const std::string& name) {
  const auto* const found = std::find_if(kFormats.begin(), kFormats.end(),
                                         [&](const auto& format) { return name == format.name; });
  return found == kFormats.end() ? std::nullopt : std::optional(*found);
}

// ".svg" as "svg".
std::string ending_of(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension.empty() ? "" : extension.substr(1);
}

void check_folder(const FlagText& output) {
  if (!output) return;
  const std::filesystem::path path(*output);
  std::error_code ignored;
  if (path.filename().empty() || std::filesystem::is_directory(path, ignored)) {
    throw UsageError("--output '" + *output + "': expected a file, not a folder");
  }
  if (path.has_parent_path() && !std::filesystem::is_directory(path.parent_path(), ignored)) {
    throw UsageError("--output '" + *output + "': expected a file in an existing folder");
  }
}

}  // namespace

std::vector<PlotFile> plot_files(const FlagText& output, const FlagText& format,
                                 const std::string& stem) {
  check_folder(output);
  const std::filesystem::path path(output.value_or(stem));
  const auto ending = format_named(ending_of(path));
  if (!format) {
    if (!output) return {{PlotFormat::kSvg, stem + ".svg"}};
    if (ending) return {{ending->format, path}};
    throw UsageError("--output '" + *output + "': expected a name ending in .svg, .png or .csv");
  }
  std::vector<PlotFile> files;
  for (const auto& name : list_flag("--format", *format)) {
    const auto wanted = format_named(name);
    if (!wanted) {
      throw UsageError("--format '" + name + "': expected svg, png, csv, or several of them");
    }
    const std::string bare = ending ? (path.parent_path() / path.stem()).string() : path.string();
    files.push_back({wanted->format, bare + "." + wanted->name});
    const bool twice = std::any_of(files.begin(), files.end() - 1, [&](const PlotFile& other) {
      return other.format == wanted->format;
    });
    if (twice) throw UsageError("--format '" + *format + "': expected every format once");
  }
  return files;
}

}  // namespace sotto::cli
