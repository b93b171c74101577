#include "cli/program.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <iostream>

#include "cli/flags.h"
#include "cli/setting_flags.h"
#include "sotto/core/error.h"
#include "sotto/core/invalid_setting.h"
#include "sotto/runs/run_observer.h"

namespace sotto::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

void print_help(std::span<const Command> commands) {
  std::cout << "sotto " SOTTO_VERSION
               ": private deep learning\n\nUsage: sotto COMMAND [FLAGS]\n\n"
               "Commands:\n";
  for (const auto& command : commands) {
    std::cout << "  " << command.name << std::string(10 - std::strlen(command.name), ' ')
              << command.purpose << '\n';
  }
  std::cout << "\n`sotto COMMAND --help` shows flags and examples; every command takes --json.\n";
}

std::string command_names(std::span<const Command> commands) {
  std::string names;
  for (const auto& command : commands) {
    names += std::string(names.empty() ? "" : ", ") + command.name;
  }
  return names;
}

int run(std::span<const Command> commands, const std::string& name, const Arguments& arguments,
        RunElsewhere elsewhere) {
  if (name == "--help" || name == "-h" || name == "help") {
    print_help(commands);
    return 0;
  }
  if (name == "--version") {
    std::cout << "sotto " SOTTO_VERSION "\n";
    return 0;
  }
  for (const auto& command : commands) {
    if (name != command.name) continue;
    return command.run == kNeedsLibTorch ? elsewhere(name, arguments) : command.run(arguments);
  }
  throw UsageError("unknown command '" + name + "'; accepted: " + command_names(commands));
}

// LibTorch's messages go on with a stack trace.
std::string first_line(const char* text) {
  while (*text == '\n') ++text;
  const char* end = std::strchr(text, '\n');
  return end == nullptr ? text : std::string(text, end);
}

}  // namespace

int run_program(std::span<const Command> commands, int argc, char** argv, RunElsewhere elsewhere) {
  const std::string name = argc > 1 ? argv[1] : "--help";
  const bool is_command = !name.empty() && name[0] != '-' && name != "help";
  const std::string prefix = is_command ? "sotto " + name + ": " : "sotto: ";
  try {
    return run(commands, name, Arguments(argv + std::min(argc, 2), argv + argc), elsewhere);
  } catch (const UsageError& error) {
    std::cerr << prefix << error.what() << '\n';
    return kBadUsage;
  } catch (const InvalidSetting& error) {
    std::cerr << prefix << first_line(error.worded(flag_of).c_str()) << '\n';
    return kBadUsage;
  } catch (const std::invalid_argument& error) {
    std::cerr << prefix << first_line(error.what()) << '\n';
    return kBadUsage;
  } catch (const runs::Interrupted& error) {
    std::cerr << prefix << error.what() << " (--resume, with the same --output)\n";
    return kFailed;
  } catch (const std::exception& error) {
    std::cerr << prefix << first_line(error.what()) << '\n';
    return kFailed;
  }
}

}  // namespace sotto::cli
