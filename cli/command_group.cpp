#include "cli/command_group.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/flags.h"
#include "cli/help_text.h"
#include "cli/nearest_word.h"
#include "cli/text_layout.h"

namespace sotto::cli {
namespace {

void print_help(const CommandGroup& group) {
  const auto columns = help_columns();
  std::vector<ListItem> commands;
  for (const auto& command : group.commands) commands.push_back({command.name, command.purpose});
  std::cout << wrapped(group.description, columns, 0) << "\n\nUsage: " << group.call
            << " COMMAND [FLAGS]\n\nCommands:\n"
            << item_list(commands, columns) << fitted_footer(group.footer, columns);
}

void print_description(const CommandGroup& group) {
  nlohmann::ordered_json json{{"command", group.call}, {"description", group.description}};
  for (const auto& command : group.commands) {
    json["commands"].push_back({{"name", command.name}, {"purpose", command.purpose}});
  }
  json["footer"] = group.footer;
  std::cout << json.dump(2) << '\n';
}

// "help" or "--help" behind a command shows the command's.
bool asks_for_help(const std::string& name) {
  return name == "--help" || name == "-h" || name == "help";
}

[[noreturn]] void refuse_command(const CommandGroup& group, const std::string& name) {
  std::vector<std::string> known;
  std::string listed;
  for (const auto& command : group.commands) {
    known.emplace_back(command.name);
    listed += (listed.empty() ? "" : ", ") + known.back();
  }
  for (const char* flag : {"help", "--help", "--version"}) known.emplace_back(flag);
  const auto nearest = nearest_word(name, known);
  throw UsageError("unknown command '" + name + "'; " +
                   (nearest.empty() ? "accepted: " + listed : "did you mean '" + nearest + "'?"));
}

}  // namespace

bool is_version_flag(const std::string& argument) {
  return argument == "-V" || argument == "--version";
}

void print_version() { std::cout << "sotto " SOTTO_VERSION "\n"; }

int run_group(const CommandGroup& group, const Arguments& arguments) {
  const std::string name = arguments.empty() ? "--help" : arguments[0];
  Arguments rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  if (name == "help" && !rest.empty()) {
    rest.emplace_back("--help");
    return run_group(group, rest);
  }
  if (asks_for_help(name)) {
    print_help(group);
    return 0;
  }
  if (is_version_flag(name)) {
    print_version();
    return 0;
  }
  if (name == kDescribe) {
    print_description(group);
    return 0;
  }
  for (const auto& command : group.commands) {
    if (name != command.name) continue;
    return command.run == kNeedsLibTorch ? group.elsewhere(name, rest) : command.run(rest);
  }
  refuse_command(group, name);
}

}  // namespace sotto::cli
