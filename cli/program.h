// A program made of commands, and the one place where errors become exit statuses.
#pragma once

#include <span>
#include <string>

#include "cli/command.h"

namespace sotto::cli {

struct Command {
  const char* name;
  int (*run)(const Arguments&);
  const char* purpose;
};

// 0 if all went well, 1 if the work failed, 2 for bad usage or bad input; errors are one line on
// stderr.
int run_program(std::span<const Command> commands, int argc, char** argv);

}  // namespace sotto::cli
