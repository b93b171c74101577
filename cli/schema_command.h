// sotto schema COMMAND.
#pragma once

#include "cli/command.h"

namespace sotto::cli {

int schema_init(const Arguments& arguments);
int schema_check(const Arguments& arguments);

}  // namespace sotto::cli
