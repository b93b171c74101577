// The folder of runs, and nothing outside it.
#pragma once

#include <cstddef>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::explore {

// Paths below are relative to the folder, with '/' between names. A path is acceptable if it is not
// empty, every name in it is neither empty nor begins with a dot, and it holds no NUL and no
// backslash. What an acceptable path leads to counts as absent if it lies outside the folder, by
// whatever symbolic links.
class RunsFolder {
 public:
  // It need not exist, now or later: then it is empty.
  explicit RunsFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }

  // The content of a regular file of at most `most_bytes`; nothing if there is no such.
  std::optional<std::string> read(std::string_view relative, std::size_t most_bytes) const;
  // Likewise, at most the first line, without its end.
  std::optional<std::string> first_line(std::string_view relative) const;
  // Whether read() would find a file, whatever its size; when it was changed last.
  std::optional<std::time_t> file_time(std::string_view relative) const;

  // Names of the folders in a folder ("" is the whole), sorted; at most kMostNames.
  std::vector<std::string> folders_in(const std::string& relative) const;
  // Names of the regular files in a folder, likewise.
  std::vector<std::string> files_in(const std::string& relative) const;

  static constexpr std::size_t kMostNames = 2000;

 private:
  std::vector<std::string> names_in(const std::string& relative, bool folders) const;

  std::filesystem::path path_;
};

bool is_acceptable_path(std::string_view relative);

}  // namespace sotto::explore
