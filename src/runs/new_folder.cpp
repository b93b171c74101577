#include "runs/new_folder.h"

#include <fcntl.h>

#include <cerrno>

#include "core/atomic_file.h"
#include "core/file_descriptor.h"
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

}  // namespace

NewFolder NewFolder::create(const std::filesystem::path& path, const std::string& config) {
  std::error_code error;
  const bool exists = std::filesystem::exists(path, error);
  check_argument(!exists || std::filesystem::is_directory(path, error), path.string(),
                 ": exists and is not a folder");
  check_setting(!exists || std::filesystem::is_empty(path, error), path.string(),
                ": is not empty; name a new folder, or continue the run in it with ",
                the_setting("resume"));
  NewFolder folder;
  folder.path_ = path;
  folder.made_ = outermost_missing(path);
  std::filesystem::create_directories(path, error);
  if (error) throw FileError(path, "cannot make the folder", error.value());
  try {
    folder.claim();
    write_file_atomically(path / kRunConfig, config);
  } catch (const FileError&) {
    folder.remove_unused({});
    throw;
  }
  return folder;
}

void NewFolder::claim() const {
  const FileDescriptor file(
      ::open((path_ / kRunConfig).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.is_open()) return;
  check_argument(errno != EEXIST, path_.string(), ": another run has just started in it");
  throw FileError(path_ / kRunConfig, "cannot be made", errno);
}

void NewFolder::remove_unused(const std::vector<std::filesystem::path>& also) const {
  std::error_code ignored;
  std::filesystem::remove(path_ / kRunConfig, ignored);
  for (const auto& file : also) std::filesystem::remove(file, ignored);
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
