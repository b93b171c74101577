#include "tests/cli/terminal_run.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace sotto::cli {
namespace {

[[noreturn]] void become_program(std::vector<std::string> arguments,
                                 const std::map<std::string, std::string>& variables) {
  unsetenv("COLUMNS");
  unsetenv("NO_COLOR");
  setenv("TERM", "xterm", 1);
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  arguments.insert(arguments.begin(), SOTTO_PROGRAM);
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

}  // namespace

TerminalRun run_on_terminal(const std::vector<std::string>& arguments, unsigned short columns,
                            const std::map<std::string, std::string>& variables) {
  winsize size{.ws_row = 40, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) become_program(arguments, variables);
  EXPECT_GT(child, 0);
  TerminalRun run{-1, ""};
  std::array<char, 4096> bytes{};
  for (ssize_t got = 0; (got = read(terminal, bytes.data(), bytes.size())) > 0;) {
    run.written.append(bytes.data(), static_cast<std::size_t>(got));
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  close(terminal);
  if (WIFEXITED(status)) run.status = WEXITSTATUS(status);
  return run;
}

}  // namespace sotto::cli
