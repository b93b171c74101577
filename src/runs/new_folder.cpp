#include "runs/new_folder.h"

#include <algorithm>

#include "core/atomic_file.h"
#include "core/file_steps.h"
#include "core/whole_file.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

// The first folder on the way to `path` that is not there; empty if all are.
std::filesystem::path outermost_missing(const std::filesystem::path& path) {
  std::filesystem::path missing;
  std::error_code error;
  for (auto folder = path; !folder.empty() && !std::filesystem::exists(folder, error);
       folder = folder.parent_path()) {
    missing = folder;
  }
  return missing;
}

// But for what a killed process left of a file that it had not finished.
bool holds_nothing(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::directory_iterator entries(folder, error);
  return !error && std::all_of(begin(entries), end(entries), [](const auto& entry) {
    return is_temporary_name(entry.path().filename().string());
  });
}

}  // namespace

NewFolder NewFolder::create(const std::filesystem::path& path, const std::string& config) {
  std::error_code error;
  const bool exists = std::filesystem::exists(path, error);
  check_argument(!exists || std::filesystem::is_directory(path, error), path.string(),
                 ": exists and is not a folder");
  check_setting(!exists || holds_nothing(path), path.string(),
                ": is not empty; name a new folder, or continue the run in it with ",
                the_setting("resume"));
  NewFolder folder;
  folder.path_ = path;
  folder.made_ = outermost_missing(path);
  std::filesystem::create_directories(path, error);
  if (error) throw FileError(path, "cannot make the folder", error.value());
  try {
    check_argument(create_whole_file(path / kRunConfig, config, Readers::kUmask), path.string(),
                   ": another run has just started in it");
  } catch (const FileError&) {
    folder.remove_empty_folders();  // config.json may be another run's
    throw;
  }
  return folder;
}

void NewFolder::remove_unused() const {
  std::error_code ignored;
  std::filesystem::remove(path_ / kRunConfig, ignored);
  remove_empty_folders();
}

void NewFolder::remove_empty_folders() const {
  std::error_code ignored;
  for (auto folder = path_; !made_.empty(); folder = folder.parent_path()) {
    if (!std::filesystem::remove(folder, ignored) || folder == made_) break;
  }
}

std::string read_run_config(const std::filesystem::path& path) {
  const auto file = path / kRunConfig;
  check_argument(std::filesystem::exists(file), file.string(), ": not there; no run to resume");
  return read_file(file);
}

}  // namespace sotto::runs
