#include "explore/runs_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

#include "core/file_descriptor.h"

namespace sotto::explore {

namespace {

namespace fs = std::filesystem;

std::string link_to(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

// Where an open file or folder really lies, links resolved; "" if that is not known.
std::string place_of(int descriptor) {
  std::array<char, PATH_MAX> place{};
  const ssize_t length = readlink(link_to(descriptor).c_str(), place.data(), place.size());
  const bool whole = length > 0 && static_cast<std::size_t>(length) < place.size();
  return whole ? std::string(place.data(), static_cast<std::size_t>(length)) : "";
}

bool is_inside(const std::string& place, const fs::path& folder) {
  std::error_code absent;
  const std::string root = fs::canonical(folder, absent).string();
  if (absent || place.empty()) return false;
  return place == root || place.starts_with(root.back() == '/' ? root : root + '/');
}

// Opened first and asked where it lies afterwards: nobody can exchange it in between. Not waiting:
// a pipe would never answer. Returns a negative number if it is not there, or not inside.
int open_inside(const fs::path& folder, std::string_view relative, int flags = 0) {
  const auto path = relative.empty() ? folder : folder / relative;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
  if (file < 0 || is_inside(place_of(file), folder)) return file;
  close(file);
  return -1;
}

std::optional<struct stat> regular_file(const FileDescriptor& file) {
  struct stat status {};
  if (!file.is_open() || fstat(file.number(), &status) != 0) return std::nullopt;
  return S_ISREG(status.st_mode) ? std::optional(status) : std::nullopt;
}

// Up to `most_bytes`, or less if the file ends before.
std::string content(const FileDescriptor& file, std::size_t most_bytes) {
  std::string bytes(most_bytes, '\0');
  std::size_t length = 0;
  while (length < most_bytes) {
    const ssize_t got = ::read(file.number(), bytes.data() + length, most_bytes - length);
    if (got <= 0) break;
    length += static_cast<std::size_t>(got);
  }
  bytes.resize(length);
  return bytes;
}

bool is_hidden(const std::string& name) { return name.empty() || name.front() == '.'; }

}  // namespace

bool is_acceptable_path(std::string_view relative) {
  if (relative.find('\0') != std::string_view::npos) return false;
  if (relative.find('\\') != std::string_view::npos) return false;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(relative.find('/', begin), relative.size());
    if (is_hidden(std::string(relative.substr(begin, end - begin)))) return false;
    if (end == relative.size()) return true;
    begin = end + 1;
  }
}

std::optional<std::string> RunsFolder::read(std::string_view relative,
                                            std::size_t most_bytes) const {
  if (!is_acceptable_path(relative)) return std::nullopt;
  const FileDescriptor file(open_inside(path_, relative));
  const auto status = regular_file(file);
  if (!status || static_cast<std::size_t>(status->st_size) > most_bytes) return std::nullopt;
  return content(file, static_cast<std::size_t>(status->st_size));
}

std::optional<std::string> RunsFolder::first_line(std::string_view relative) const {
  constexpr std::size_t kLongest = std::size_t{64} * 1024;
  if (!is_acceptable_path(relative)) return std::nullopt;
  const FileDescriptor file(open_inside(path_, relative));
  if (!regular_file(file)) return std::nullopt;
  const std::string start = content(file, kLongest);
  return start.substr(0, start.find('\n'));
}

std::optional<std::time_t> RunsFolder::file_time(std::string_view relative) const {
  if (!is_acceptable_path(relative)) return std::nullopt;
  const auto status = regular_file(FileDescriptor(open_inside(path_, relative)));
  return status ? std::optional(status->st_mtime) : std::nullopt;
}

std::vector<std::string> RunsFolder::folders_in(const std::string& relative) const {
  return names_in(relative, /*folders=*/true);
}

std::vector<std::string> RunsFolder::files_in(const std::string& relative) const {
  return names_in(relative, /*folders=*/false);
}

std::vector<std::string> RunsFolder::names_in(const std::string& relative, bool folders) const {
  std::vector<std::string> names;
  if (!relative.empty() && !is_acceptable_path(relative)) return names;
  const FileDescriptor folder(open_inside(path_, relative, O_DIRECTORY));
  if (!folder.is_open()) return names;
  std::error_code error;
  for (fs::directory_iterator entry(link_to(folder.number()), error), end;
       !error && entry != end && names.size() < kMostNames; entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (!is_acceptable_path(name)) continue;
    const std::string path = relative.empty() ? name : relative + "/" + name;
    const bool wanted = folders ? FileDescriptor(open_inside(path_, path, O_DIRECTORY)).is_open()
                                : file_time(path).has_value();
    if (wanted) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace sotto::explore
