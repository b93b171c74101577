#include "data/folder_files.h"

#include <algorithm>

#include "data/hidden_file.h"

namespace sotto::data {
namespace {

constexpr int kDeepest = 16;  // links could lead in circles

}  // namespace

std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder) {
  using Iterator = std::filesystem::recursive_directory_iterator;
  std::vector<std::filesystem::path> files;
  Iterator entry(folder, std::filesystem::directory_options::follow_directory_symlink);
  for (; entry != Iterator(); ++entry) {
    if (is_hidden(entry->path()) || entry.depth() == kDeepest) entry.disable_recursion_pending();
    if (!is_hidden(entry->path()) && entry->is_regular_file()) files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace sotto::data
