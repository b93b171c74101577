// A program made of commands, and the one place where errors become exit statuses.
#pragma once

#include <span>
#include <string>

#include "cli/command.h"

namespace sotto::cli {

using RunCommand = int (*)(const Arguments&);
// In place of what runs a command: sotto-torch does.
constexpr RunCommand kNeedsLibTorch = nullptr;

struct Command {
  const char* name = "";
  RunCommand run = kNeedsLibTorch;
  const char* purpose = "";  // in --help
};

// What to do with a command that needs LibTorch.
using RunElsewhere = int (*)(const std::string& name, const Arguments&);

// 0 if all went well, 1 if the work failed, 2 for bad usage or bad input; errors are one line on
// stderr. `elsewhere` may be null if no command needs it.
int run_program(std::span<const Command> commands, int argc, char** argv,
                RunElsewhere elsewhere = nullptr);

}  // namespace sotto::cli
