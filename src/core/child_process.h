// Starting other programs, without a shell.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sotto {

struct ChildOptions {
  std::vector<std::string> arguments;  // the program, found on PATH, first
  std::filesystem::path folder = {};   // where it works; empty: here
  // Where its output and its errors go; input is empty. Both are opened here, not in `folder`.
  std::filesystem::path output = "/dev/null";
  std::filesystem::path errors = {};  // empty: with the output
  bool append_errors = false;         // behind what is in the file
  // It gets SIGTERM when the thread that started it ends, however that happens, and Ctrl-C at a
  // terminal does not reach it.
  bool ends_with_parent = false;
  int kept_open = -1;  // a descriptor it inherits
};

// The process of the child, for waitpid. No signal is blocked in it. Throws std::runtime_error,
// naming the program, if it cannot be started.
pid_t start_child(const ChildOptions& options);

// "ended with status 1" or "killed by signal 9", of what waitpid tells.
std::string how_it_ended(int wait_status);

// The last line that is not empty; "" if there is none.
std::string last_line_of(const std::filesystem::path& log);

}  // namespace sotto
