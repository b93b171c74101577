#include "cli/command_group.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/flags.h"
#include "cli/text_layout.h"

namespace sotto::cli {
namespace {

void print_help(const CommandGroup& group) {
  std::cout << group.description << "\n\nUsage: " << group.call
            << " COMMAND [FLAGS]\n\nCommands:\n";
  for (const auto& command : group.commands) {
    std::cout << "  " << padded(command.name, 10) << command.purpose << '\n';
  }
  std::cout << group.footer;
}

void print_description(const CommandGroup& group) {
  nlohmann::ordered_json json{{"command", group.call}, {"description", group.description}};
  for (const auto& command : group.commands) {
    json["commands"].push_back({{"name", command.name}, {"purpose", command.purpose}});
  }
  json["footer"] = group.footer;
  std::cout << json.dump(2) << '\n';
}

}  // namespace

int run_group(const CommandGroup& group, const Arguments& arguments) {
  const std::string name = arguments.empty() ? "--help" : arguments[0];
  if (name == "--help" || name == "-h" || name == "help") {
    print_help(group);
    return 0;
  }
  if (name == kDescribe) {
    print_description(group);
    return 0;
  }
  const Arguments rest(arguments.begin() + 1, arguments.end());
  std::string names;
  for (const auto& command : group.commands) {
    if (name == command.name) {
      return command.run == kNeedsLibTorch ? group.elsewhere(name, rest) : command.run(rest);
    }
    names += std::string(names.empty() ? "" : ", ") + command.name;
  }
  throw UsageError("unknown command '" + name + "'; accepted: " + names);
}

}  // namespace sotto::cli
