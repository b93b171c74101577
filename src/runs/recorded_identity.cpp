#include "runs/recorded_identity.h"

#include <algorithm>

#include "core/atomic_file.h"
#include "data/data_identity.h"
#include "data/shared_files.h"
#include "sotto/core/error.h"
#include "sotto/core/invalid_setting.h"

namespace sotto::runs {
namespace {

// Whether a path is this one or below it. Both are canonical; no path holds nothing.
bool holds(const std::filesystem::path& folder, const std::filesystem::path& path) {
  const auto parted = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return !folder.empty() && parted.first == folder.end();
}

// Links resolved as far as they are there; empty for made-up data.
std::filesystem::path place_of(const std::string& dataset) {
  const auto location = data::DataSource::parse(dataset).location();
  if (location.empty()) return {};
  const auto path = std::filesystem::absolute(location);
  std::error_code error;
  const auto place = std::filesystem::weakly_canonical(path, error);
  return error ? path.lexically_normal() : place;
}

}  // namespace

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

std::filesystem::path place_of_data(const std::string& dataset,
                                    const std::filesystem::path& run_folder) {
  try {
    const std::filesystem::path location = data::DataSource::parse(dataset).location();
    if (location.empty() || location.is_absolute()) return place_of(dataset);
    std::error_code error;
    const auto folder = std::filesystem::absolute(run_folder).lexically_normal();
    for (auto above = folder.parent_path(); above.has_relative_path();
         above = above.parent_path()) {
      const auto found = above / location;
      if (std::filesystem::exists(found, error)) return std::filesystem::canonical(found, error);
    }
    return place_of(dataset);
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
