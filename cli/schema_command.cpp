#include "cli/schema_command.h"

#include <array>

#include "cli/command_group.h"

namespace sotto::cli {
namespace {

constexpr std::array kSchemaCommands = {
    Command{"init", schema_init, "write a schema from a table's column names and your answers"},
    Command{"check", schema_check, "list everything that is wrong with a schema, or a table"},
};

}  // namespace

int schema_command(const Arguments& arguments) {
  return run_group({"sotto schema", "What is public about a table's columns.", kSchemaCommands,
                    "\nsotto schema COMMAND --help says more; docs/tables.md has all of it.\n"},
                   arguments);
}

}  // namespace sotto::cli
