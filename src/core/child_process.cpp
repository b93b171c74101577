#include "core/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "core/file_descriptor.h"

namespace sotto {
namespace {

// Everything the child needs, made before the fork: after it nothing may allocate.
struct Launch {
  std::vector<char*> arguments;
  const char* folder;
  int input;
  int output;
  int errors;
  int kept_open;
  bool ends_with_parent;
  pid_t parent;
  int failure_pipe;
};

FileDescriptor opened(const std::filesystem::path& path, int flags) {
  const int number = open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (number < 0) throw std::runtime_error(path.string() + ": " + std::strerror(errno));
  return FileDescriptor(number);
}

bool tie_to_parent(pid_t parent) {
  setpgid(0, 0);
  return prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() == parent;
}

bool prepare(const Launch& launch) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (launch.ends_with_parent && !tie_to_parent(launch.parent)) return false;
  if (launch.kept_open >= 0) fcntl(launch.kept_open, F_SETFD, 0);
  return dup2(launch.input, STDIN_FILENO) >= 0 && dup2(launch.output, STDOUT_FILENO) >= 0 &&
         dup2(launch.errors, STDERR_FILENO) >= 0 &&
         (*launch.folder == '\0' || chdir(launch.folder) == 0);
}

[[noreturn]] void become_program(const Launch& launch) {
  if (prepare(launch)) execvp(launch.arguments[0], launch.arguments.data());
  const int reason = errno;
  static_cast<void>(!write(launch.failure_pipe, &reason, sizeof reason));
  _exit(127);
}

// The reason why the program did not start; 0 if it did. The pipe closes when it starts.
int failure_from(int pipe) {
  int reason = 0;
  ssize_t got = 0;
  do {
    got = read(pipe, &reason, sizeof reason);
  } while (got < 0 && errno == EINTR);
  return got == sizeof reason ? reason : 0;
}

std::vector<char*> pointers_to(const std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (const auto& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

pid_t start_child(const ChildOptions& options) {
  const FileDescriptor input = opened("/dev/null", O_RDONLY);
  const FileDescriptor output = opened(options.output, O_WRONLY | O_CREAT | O_TRUNC);
  const FileDescriptor errors =
      options.errors.empty()
          ? FileDescriptor(fcntl(output.number(), F_DUPFD_CLOEXEC, 3))
          : opened(options.errors,
                   O_WRONLY | O_CREAT | (options.append_errors ? O_APPEND : O_TRUNC));
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error(std::strerror(errno));
  const FileDescriptor reader(ends[0]);
  const std::string folder = options.folder.string();
  pid_t child = 0;
  {
    const FileDescriptor writer(ends[1]);
    const Launch launch{pointers_to(options.arguments),
                        folder.c_str(),
                        input.number(),
                        output.number(),
                        errors.number(),
                        options.kept_open,
                        options.ends_with_parent,
                        getpid(),
                        writer.number()};
    child = fork();
    if (child == 0) become_program(launch);
  }
  const int reason = child < 0 ? errno : failure_from(reader.number());
  if (reason == 0) return child;
  if (child > 0) waitpid(child, nullptr, 0);
  throw std::runtime_error(options.arguments[0] + ": cannot be run: " + std::strerror(reason));
}

std::string how_it_ended(int wait_status) {
  return WIFEXITED(wait_status) ? "ended with status " + std::to_string(WEXITSTATUS(wait_status))
                                : "killed by signal " + std::to_string(WTERMSIG(wait_status));
}

std::string last_line_of(const std::filesystem::path& log) {
  std::ifstream input(log);
  std::string line;
  std::string last;
  while (std::getline(input, line)) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace sotto
