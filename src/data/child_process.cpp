#include "data/child_process.h"

#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <thread>

#include "core/child_process.h"

namespace sotto::data {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

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

}  // namespace

void run_child(const std::vector<std::string>& arguments, const fs::path& folder,
               std::chrono::seconds time_limit) {
  const auto log = fs::absolute(folder) / "child.log";
  const pid_t child = start_child({.arguments = arguments, .folder = folder, .output = log});
  const auto status = wait_until(child, Clock::now() + time_limit);
  if (!status) {
    throw std::runtime_error(arguments[0] + ": still running after " +
                             std::to_string(time_limit.count()) + " s");
  }
  if (*status == 0) return;
  const std::string last = last_line_of(log).substr(0, 200);
  throw std::runtime_error(arguments[0] + ": " + how_it_ended(*status) +
                           (last.empty() ? "" : ": " + last));
}

}  // namespace sotto::data
