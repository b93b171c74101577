#include "core/file_steps.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <mutex>
#include <set>

#include "core/atomic_file.h"
#include "core/file_descriptor.h"
#include "core/sha256.h"

namespace sotto {

namespace fs = std::filesystem;

namespace {

// Names the processes among which a number names one: this start of this machine, or a container on
// it. Empty if it cannot be told.
std::string namespace_of_processes() {
  std::error_code error;
  const auto space = fs::read_symlink("/proc/self/ns/pid", error);
  std::ifstream boot("/proc/sys/kernel/random/boot_id");
  std::string id;
  if (error || !(boot >> id)) return "";
  return sha256_hex(id + space.string()).substr(0, 16);
}

const std::string& here() {
  static const std::string name = namespace_of_processes();
  return name;
}

fs::path next_temporary_name() {
  static std::atomic<unsigned> count{0};
  return ".sotto-" + here() + "-" + std::to_string(getpid()) + "-" + std::to_string(++count) +
         ".part";
}

// True for what a process of ours, which has ended, was writing.
bool is_of_the_dead(const std::string& name) {
  const std::string prefix = ".sotto-" + here() + "-";
  if (here().empty() || !name.starts_with(prefix)) return false;
  const auto number = std::strtol(name.c_str() + prefix.size(), nullptr, 10);
  return number > 0 && kill(static_cast<pid_t>(number), 0) != 0 && errno == ESRCH;
}

bool is_older_than_a_day(const struct stat& status) {
  constexpr std::time_t kDay = 86'400;
  return std::time(nullptr) - status.st_mtime > kDay;
}

void remove_abandoned(const fs::path& folder) {
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const auto name = entry->path().filename().string();
    struct stat status {};
    const bool is_ours = is_temporary_name(name) && lstat(entry->path().c_str(), &status) == 0 &&
                         S_ISREG(status.st_mode) && status.st_uid == geteuid();
    if (is_ours && (is_of_the_dead(name) || is_older_than_a_day(status))) {
      unlink(entry->path().c_str());
    }
  }
}

bool is_first_time(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> known;
  const std::lock_guard lock(mutex);
  return known.insert(fs::absolute(folder)).second;
}

}  // namespace

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

bool is_temporary_name(std::string_view name) {
  constexpr std::string_view kBegin = ".sotto-";
  constexpr std::string_view kEnd = ".part";
  if (name.size() <= kBegin.size() + kEnd.size() || !name.starts_with(kBegin) ||
      !name.ends_with(kEnd)) {
    return false;
  }
  const auto between = name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
  return between.find_first_not_of("0123456789abcdef-") == std::string_view::npos;
}

OpenTemporary create_temporary(const fs::path& destination, mode_t mode) {
  const auto folder = folder_of(destination);
  if (is_first_time(folder)) remove_abandoned(folder);
  while (true) {
    auto path = folder / next_temporary_name();
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) throw FileError(destination, "cannot create", errno);
    return {std::move(path), file};
  }
}

void write_all(int file, std::string_view bytes, const fs::path& destination) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw FileError(destination, "cannot write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Some file systems know no fsync of a folder and say EINVAL: there is nothing more to be done.
void force_to_disk(const fs::path& path, int flags, const fs::path& destination) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | flags));
  if (!file.is_open() || (fsync(file.number()) != 0 && errno != EINVAL)) {
    throw FileError(destination, "cannot force to disk", errno);
  }
}

}  // namespace sotto
