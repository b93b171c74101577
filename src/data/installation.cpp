#include "data/installation.h"

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX, not C++

#include <cerrno>

#include "core/atomic_file.h"
#include "core/sha256.h"
#include "data/download.h"

namespace sotto::data {

namespace {

namespace fs = std::filesystem;

class TemporaryWorkspace {
 public:
  explicit TemporaryWorkspace(const fs::path& parent) {
    fs::create_directories(parent);
    std::string pattern = (parent / ".sotto-get-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw FileError(parent, "cannot create a folder in it", errno);
    }
    root_ = pattern;
    fs::create_directory(folders().scratch);
    fs::create_directory(folders().result);
  }
  ~TemporaryWorkspace() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  TemporaryWorkspace(const TemporaryWorkspace&) = delete;
  TemporaryWorkspace& operator=(const TemporaryWorkspace&) = delete;

  Workspace folders() const { return {root_ / "scratch", root_ / "result"}; }

  // What was at `destination` goes with the workspace.
  void move_result_to(const fs::path& destination) const {
    if (fs::exists(fs::symlink_status(destination))) fs::rename(destination, root_ / "replaced");
    fs::rename(folders().result, destination);
  }

 private:
  fs::path root_;
};

void require_all_ok(const fs::path& folder, const std::vector<KnownFile>& files) {
  for (const auto& file : check_files(folder, files)) {
    if (file.state == FileState::kOk) continue;
    const bool missing = file.state == FileState::kMissing;
    throw std::runtime_error(file.name + (missing ? " is missing" : " has the wrong SHA-256"));
  }
}

void try_attempt(const Recipe& recipe, const Attempt& attempt, const fs::path& destination) {
  const TemporaryWorkspace workspace(destination.parent_path());
  attempt.fetch(workspace.folders());
  require_all_ok(workspace.folders().result, recipe.files);
  workspace.move_result_to(destination);
}

}  // namespace

void install(const Recipe& recipe, const fs::path& destination, const Report& report) {
  std::string failures;
  for (const auto& attempt : recipe.attempts) {
    report(recipe.name + ": fetching " + attempt.description);
    try {
      try_attempt(recipe, attempt, destination);
      report(recipe.name + ": verified, in " + destination.string());
      return;
    } catch (const std::exception& error) {
      report(recipe.name + ": that failed: " + error.what());
      failures += "; " + attempt.description + ": " + error.what();
    }
  }
  throw DownloadError(recipe.name + ": cannot be downloaded" + failures);
}

void require_sha256(const fs::path& file, const std::string& sha256) {
  const std::string found = sha256_hex_of_file(file);
  if (found != sha256) {
    throw std::runtime_error(file.filename().string() + " has SHA-256 " + found + ", must be " +
                             sha256);
  }
}

}  // namespace sotto::data
