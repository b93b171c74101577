// The program: a table of commands, and the one place where errors become exit statuses.
#include <array>
#include <cstring>
#include <exception>
#include <iostream>

#include "cli/command.h"
#include "cli/flags.h"
#include "sotto/core/error.h"

namespace {

using sotto::cli::Arguments;

struct Command {
  const char* name;
  int (*run)(const Arguments&);
  const char* purpose;
};

constexpr std::array kCommands = {
    Command{"budget", sotto::cli::budget_command, "what a private training run costs, in (ε, δ)"},
    Command{"explain", sotto::cli::explain_command, "what an ε means for one person"},
};

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

void print_help() {
  std::cout << "sotto " SOTTO_VERSION
               ": private deep learning\n\nUsage: sotto COMMAND [FLAGS]\n\n"
               "Commands:\n";
  for (const auto& command : kCommands) {
    std::cout << "  " << command.name << std::string(10 - std::strlen(command.name), ' ')
              << command.purpose << '\n';
  }
  std::cout << "\n`sotto COMMAND --help` shows flags and examples; every command takes --json.\n";
}

std::string command_names() {
  std::string names;
  for (const auto& command : kCommands)
    names += std::string(names.empty() ? "" : ", ") + command.name;
  return names;
}

int run(const std::string& name, const Arguments& arguments) {
  if (name == "--help" || name == "-h" || name == "help") {
    print_help();
    return 0;
  }
  if (name == "--version") {
    std::cout << "sotto " SOTTO_VERSION "\n";
    return 0;
  }
  for (const auto& command : kCommands) {
    if (name == command.name) return command.run(arguments);
  }
  throw sotto::cli::UsageError("unknown command '" + name + "'; accepted: " + command_names());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "--help";
  const bool is_command = !name.empty() && name[0] != '-' && name != "help";
  const std::string prefix = is_command ? "sotto " + name + ": " : "sotto: ";
  try {
    return run(name, Arguments(argv + std::min(argc, 2), argv + argc));
  } catch (const sotto::cli::UsageError& error) {
    std::cerr << prefix << error.what() << '\n';
    return kBadUsage;
  } catch (const sotto::InvalidArgument& error) {
    std::cerr << prefix << error.what() << '\n';
    return kBadUsage;
  } catch (const std::exception& error) {
    std::cerr << prefix << error.what() << '\n';
    return kFailed;
  }
}
