#include "runs/recorded_identity.h"

#include <algorithm>

#include "core/atomic_file.h"
#include "data/data_identity.h"
#include "data/shared_files.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

// Whether a path is this one or below it. Both are canonical; no path holds nothing.
bool holds(const std::filesystem::path& folder, const std::filesystem::path& path) {
  const auto parted = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return !folder.empty() && parted.first == folder.end();
}

// The nearest first, by the name of a place and by where it really is.
std::vector<std::filesystem::path> folders_above(const std::filesystem::path& place) {
  std::vector<std::filesystem::path> folders;
  std::error_code error;
  for (const auto& start : {std::filesystem::absolute(place).lexically_normal(),
                            std::filesystem::weakly_canonical(place, error)}) {
    for (auto above = start; above.has_relative_path();) {
      above = above.parent_path();
      folders.push_back(above);
    }
  }
  return folders;
}

// A decoy of that name may lie between: all that are there count. Of folders that hold the run
// itself, as "images:." would name, the nearest is enough.
void add_places_above(const std::filesystem::path& location,
                      const std::filesystem::path& run_folder,
                      std::vector<std::filesystem::path>& places) {
  std::error_code error;
  const auto run = std::filesystem::weakly_canonical(run_folder, error);
  bool around = false;
  for (const auto& folder : folders_above(run_folder)) {
    const auto place = std::filesystem::canonical(folder / location, error);
    if (error || (around && holds(place, run))) continue;
    around = around || holds(place, run);
    places.push_back(place);
  }
}

}  // namespace

std::filesystem::path place_of(const std::string& dataset) {
  const auto location = data::DataSource::parse(dataset).location();
  if (location.empty()) return {};
  const auto path = std::filesystem::absolute(location);
  std::error_code error;
  const auto place = std::filesystem::weakly_canonical(path, error);
  return error ? path.lexically_normal() : place;
}

std::string recorded_identity(const std::string& dataset) {
  const auto source = data::DataSource::parse(dataset);
  std::error_code error;
  if (!std::filesystem::exists(source.location(), error)) return {};
  try {
    const auto identity = data::DataIdentity::of(source);
    return identity ? identity->text() : "";
  } catch (const FileError&) {
    return {};
  }
}

void require_same_content(const std::string& dataset, const std::string& recorded) {
  std::error_code error;
  const auto location = data::DataSource::parse(dataset).location();
  if (recorded.empty() || !std::filesystem::exists(location, error)) return;
  check_argument(recorded_identity(dataset) == recorded, dataset,
                 ": not what the run began with; the data changed, or the key beside them (",
                 data::DataIdentity::kKeyFile,
                 ") did or cannot be read; accepted: the same files as then");
}

void require_identity(const std::string& dataset, const std::string& recorded) {
  check_setting(!recorded.empty() || data::DataSource::parse(dataset).location().empty(), dataset,
                ": records are held out, which needs a hash of the data to know them by later, and "
                "the run has "
                "none: its key (",
                data::DataIdentity::kKeyFile,
                ") can be kept neither beside the data nor at home; give public test records (",
                the_setting("csv_test"), " FILE), or hold out nothing (",
                the_setting("held_out_epsilon"), " 0)");
}

bool is_same_data(const std::string& one, const std::string& other) {
  if (one == other) return true;
  return is_same_place(place_of(one), place_of(other));
}

bool is_same_place(const std::filesystem::path& one, const std::filesystem::path& other) {
  if (one.empty() || other.empty()) return false;
  return holds(one, other) || holds(other, one) || data::share_a_file(one, other);
}

std::vector<std::filesystem::path> places_of_data(const std::string& dataset,
                                                  const std::filesystem::path& run_folder) {
  try {
    const std::filesystem::path location = data::DataSource::parse(dataset).location();
    if (location.empty()) return {};
    std::vector<std::filesystem::path> places{place_of(dataset)};
    if (!location.is_absolute()) add_places_above(location, run_folder, places);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
  } catch (const InvalidArgument&) {
    return {};
  }
}

void require_public_test_rows(const std::filesystem::path& csv_test, const std::string& dataset) {
  check_setting(csv_test.empty() || !is_same_data("csv:" + csv_test.string(), dataset),
                the_setting("csv_test"), " '", csv_test.string(),
                "': the private rows themselves; expected a file of public ones");
}

}  // namespace sotto::runs
