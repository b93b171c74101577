#include "data/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <thread>

namespace sotto::data {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// What happens in the child before the program starts.
class FileActions {
 public:
  FileActions(const fs::path& folder, const fs::path& log) {
    check(posix_spawn_file_actions_init(&actions_));
    check(posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0));
    check(posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, log.c_str(),
                                           O_WRONLY | O_CREAT | O_TRUNC, 0666));
    check(posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO));
    check(posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str()));
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  static void check(int error) {
    if (error != 0) throw std::runtime_error(std::strerror(error));
  }

  posix_spawn_file_actions_t actions_{};
};

pid_t start(const std::vector<std::string>& arguments, const fs::path& folder,
            const fs::path& log) {
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (const auto& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  const FileActions actions(folder, log);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, pointers[0], actions.get(), nullptr, pointers.data(), environ);
  if (error != 0) {
    throw std::runtime_error(arguments[0] + ": cannot be run: " + std::strerror(error));
  }
  return child;
}

// The status of a child that has ended, or nothing.
std::optional<int> status_of(pid_t child, int options) {
  int status = 0;
  const pid_t ended = waitpid(child, &status, options);
  if (ended < 0 && errno != EINTR) throw std::runtime_error(std::strerror(errno));
  return ended == child ? std::optional(status) : std::nullopt;
}

std::optional<int> wait_until(pid_t child, Clock::time_point deadline) {
  while (Clock::now() < deadline) {
    if (const auto status = status_of(child, WNOHANG)) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  kill(child, SIGKILL);
  while (!status_of(child, 0)) continue;
  return std::nullopt;
}

std::string last_line(const fs::path& log) {
  std::ifstream input(log);
  std::string line;
  std::string last;
  while (std::getline(input, line)) {
    if (!line.empty()) last = line;
  }
  return last.empty() ? "" : ": " + last.substr(0, 200);
}

}  // namespace

void run_child(const std::vector<std::string>& arguments, const fs::path& folder,
               std::chrono::seconds time_limit) {
  const auto log = fs::absolute(folder) / "child.log";
  const pid_t child = start(arguments, folder, log);
  const auto status = wait_until(child, Clock::now() + time_limit);
  if (!status) {
    throw std::runtime_error(arguments[0] + ": still running after " +
                             std::to_string(time_limit.count()) + " s");
  }
  if (*status == 0) return;
  const std::string how = WIFEXITED(*status)
                              ? ": ended with status " + std::to_string(WEXITSTATUS(*status))
                              : ": killed by signal " + std::to_string(WTERMSIG(*status));
  throw std::runtime_error(arguments[0] + how + last_line(log));
}

}  // namespace sotto::data
