#include "data/shared_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/atomic_file.h"
#include "data/folder_files.h"

namespace sotto::data {
namespace {

using FileNumbers = std::set<std::pair<dev_t, ino_t>>;

FileNumbers numbers_of(const std::filesystem::path& place) {
  std::vector<std::filesystem::path> files{place};
  std::error_code ignored;
  try {
    if (std::filesystem::is_directory(place, ignored)) files = files_below(place);
  } catch (const std::filesystem::filesystem_error& error) {
    throw FileError(place, "cannot be read with all that is in it", error.code().value());
  }
  FileNumbers numbers;
  for (const auto& file : files) {
    struct stat status {};
    if (stat(file.c_str(), &status) == 0) numbers.emplace(status.st_dev, status.st_ino);
  }
  return numbers;
}

}  // namespace

bool share_a_file(const std::filesystem::path& one, const std::filesystem::path& other) {
  const auto here = numbers_of(one);
  const auto there = numbers_of(other);
  return std::any_of(here.begin(), here.end(),
                     [&](const auto& number) { return there.contains(number); });
}

}  // namespace sotto::data
