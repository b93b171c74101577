#include "runs/kept_files.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/atomic_file.h"
#include "core/same_place.h"
#include "core/shallow_json.h"
#include "data/data_source.h"
#include "data/shared_files.h"
#include "plan/run_settings.h"
#include "runs/irreplaceable_files.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

namespace fs = std::filesystem;

// Empty if there is no run.
fs::path run_folder_of(const std::string& run) {
  std::error_code ignored;
  if (fs::is_directory(run, ignored)) return run;
  if (!fs::exists(run, ignored)) return {};
  const auto folder = fs::absolute(run).parent_path();
  return fs::exists(folder / kSettingsFile, ignored) ? folder : fs::path();
}

bool is_file_of_run(const fs::path& folder, const fs::path& file) {
  const auto own_folder = fs::absolute(file).parent_path();
  if (has_run_files_name(file) && is_same_place(own_folder, folder)) return true;
  std::error_code ignored;
  return std::any_of(fs::directory_iterator(folder, ignored), fs::directory_iterator(),
                     [&](const fs::directory_entry& entry) {
                       return has_run_files_name(entry) && fs::equivalent(entry, file, ignored);
                     });
}

// The whole of a path, or what stands behind the kind of data, or where known data are kept.
std::vector<fs::path> places_of(const std::string& source) {
  std::vector<fs::path> places{source};
  try {
    places.push_back(data::DataSource::parse(source).location());
  } catch (const InvalidArgument&) {  // no more than a path
  }
  return places;
}

void add_named_files(const Json& settings, std::vector<std::string>& named) {
  constexpr std::array kKeys = {"dataset", "csv_schema", "csv_test", "weights"};
  for (const auto& [key, value] : settings.items()) {
    if (value.is_object()) add_named_files(value, named);
    const bool is_named = std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
    if (is_named && value.is_string()) named.push_back(value.get<std::string>());
  }
}

// What the settings of a run name; nothing if they cannot be read.
std::vector<std::string> files_named_by(const fs::path& folder) {
  constexpr int kDepth = 8;
  std::vector<std::string> named;
  try {
    const auto settings = read_shallow_json(folder / kSettingsFile, kDepth);
    if (settings.is_object()) add_named_files(settings, named);
  } catch (const FileError&) {
  } catch (const InvalidArgument&) {
  }
  return named;
}

bool is_among(const std::string& source, const fs::path& file) {
  std::error_code ignored;
  const auto places = places_of(source);
  const bool is_one = std::any_of(places.begin(), places.end(), [&](const fs::path& place) {
    return fs::equivalent(place, file, ignored);
  });
  return is_one || is_in_data(source, file);
}

// Whether this file stands in an argument: "a.csv", "csv:a.csv", "zip=zip.csv", "@names,b"; "-" is
// what standard input was redirected from.
bool names_file(const std::string& argument, const fs::path& file) {
  std::error_code ignored;
  if (argument == "-") return fs::equivalent("/dev/stdin", file, ignored);
  for (std::size_t begin = 0; begin < argument.size();) {
    const auto end = std::min(argument.find_first_of(",:=@", begin), argument.size());
    const auto rest = argument.substr(begin);  // a name may hold one of these signs itself
    if (fs::equivalent(rest, file, ignored) ||
        fs::equivalent(rest.substr(0, end - begin), file, ignored)) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

bool is_read(const std::string& text, InputKind kind, const fs::path& file) {
  if (names_file(text, file)) return true;
  if (kind == InputKind::kData) return is_in_data(text, file);
  return kind == InputKind::kMade && !text.empty() && is_same_place(text, file);
}

}  // namespace

std::string reason_not_to_write(const std::string& input, InputKind kind, const fs::path& file) {
  if (is_read(input, kind, file)) return "is read as well";
  return kind == InputKind::kRun ? reason_to_keep(input, file) : "";
}

bool is_in_data(const std::string& source, const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored) || file.extension() == ".csv") return false;
  const auto places = places_of(source);
  return std::any_of(places.begin(), places.end(), [&](const fs::path& place) {
    try {
      return fs::is_directory(place, ignored) && data::share_a_file(place, file);
    } catch (const FileError&) {  // a folder that cannot be read
      return false;
    }
  });
}

std::string reason_to_keep(const std::string& run, const fs::path& file) {
  const auto folder = run_folder_of(run);
  if (folder.empty()) return "";
  if (is_file_of_run(folder, file)) return "is a file of the run";
  const auto named = files_named_by(folder);
  const bool is_named = std::any_of(named.begin(), named.end(), [&](const std::string& source) {
    return is_among(source, file);
  });
  return is_named ? "is among the files that the run's config.json names" : "";
}

}  // namespace sotto::runs
