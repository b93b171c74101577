#include "data/shared_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <utility>

namespace sotto::data {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 16;  // links could lead in circles

using FileNumbers = std::set<std::pair<dev_t, ino_t>>;

void add_file(const fs::path& path, FileNumbers& numbers) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
    numbers.emplace(status.st_dev, status.st_ino);
  }
}

FileNumbers files_of(const fs::path& path) {
  FileNumbers numbers;
  add_file(path, numbers);
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(path,
                                                fs::directory_options::follow_directory_symlink |
                                                    fs::directory_options::skip_permission_denied,
                                                error);
  while (!error && entry != fs::recursive_directory_iterator()) {
    if (entry.depth() == kDeepest) entry.disable_recursion_pending();
    add_file(entry->path(), numbers);
    entry.increment(error);
  }
  return numbers;
}

}  // namespace

bool share_a_file(const fs::path& one, const fs::path& other) {
  const auto here = files_of(one);
  const auto there = files_of(other);
  return std::any_of(here.begin(), here.end(),
                     [&](const auto& number) { return there.contains(number); });
}

}  // namespace sotto::data
