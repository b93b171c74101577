// Commands under one name: those of the program, and `sotto gan COMMAND`, `sotto rappor COMMAND`.
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

struct CommandGroup {
  const char* call = "";         // "sotto gan"
  const char* description = "";  // the first line of --help
  std::span<const Command> commands = {};
  const char* footer = "";
  RunElsewhere elsewhere = nullptr;
};

// In place of flags: a command, or a group, prints what it takes as one JSON object, of which
// completions and manual pages are made.
constexpr const char* kDescribe = "--describe";

// "-V" and "--version", which every command takes as its only argument.
bool is_version_flag(const std::string& argument);
void print_version();

// The first argument names the command; none, or --help, prints help, and `help COMMAND` that of a
// command. Returns the command's exit status, or throws what it throws; UsageError for an unknown
// name.
int run_group(const CommandGroup& group, const Arguments& arguments);

}  // namespace sotto::cli
