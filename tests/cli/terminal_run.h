// Runs the program on a terminal of its own, and reads what it writes there.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sotto::cli {

struct TerminalRun {
  int status;
  std::string written;  // stdout and stderr
};

// `sotto ARGUMENTS` on a pseudo-terminal of so many columns, with these variables besides those of
// the test (and without COLUMNS and NO_COLOR).
TerminalRun run_on_terminal(const std::vector<std::string>& arguments, unsigned short columns,
                            const std::map<std::string, std::string>& variables = {});

}  // namespace sotto::cli
