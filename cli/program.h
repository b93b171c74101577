// A program made of commands, and the one place where errors become exit statuses.
#pragma once

#include "cli/command_group.h"

namespace sotto::cli {

// 0 if all went well, 1 if the work failed or standard output could not be written, 2 for bad usage
// or bad input; errors are one line on stderr.
int run_program(const CommandGroup& group, int argc, char** argv);

}  // namespace sotto::cli
