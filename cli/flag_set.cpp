#include "cli/flag_set.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command_group.h"
#include "cli/flags.h"
#include "settings/setting.h"

namespace sotto::cli {

struct FlagSet::Implementation {
  CLI::App app;
  std::map<std::string, std::string> old_names = {};  // to those of today
  std::vector<CLI::Option*> outputs = {};
  bool force = false;

  // What to declare of "--test-data|--test".
  std::string without_old_names(const std::string& names) {
    std::istringstream parts(names);
    std::string today;
    std::getline(parts, today, '|');
    for (std::string old; std::getline(parts, old, '|');) {
      old_names[old] = settings::long_flag(today);
    }
    return today;
  }

  std::string in_todays_words(const std::string& argument) const {
    const auto end = argument.find('=');
    const auto found = old_names.find(argument.substr(0, end));
    if (found == old_names.end()) return argument;
    return found->second + (end == std::string::npos ? "" : argument.substr(end));
  }
};

namespace {

namespace fs = std::filesystem;

CLI::Option& option_of(void* pointer) { return *static_cast<CLI::Option*>(pointer); }

nlohmann::ordered_json description_of(const CLI::App& app) {
  nlohmann::ordered_json json{{"command", app.get_name()},
                              {"description", app.get_description()},
                              {"flags", nlohmann::ordered_json::array()},
                              {"arguments", nlohmann::ordered_json::array()},
                              {"footer", app.get_footer()}};
  for (const auto* option : app.get_options()) {
    const auto help = option->get_description();
    if (option->get_positional()) {
      json["arguments"].push_back({{"name", option->get_name()}, {"help", help}});
      continue;
    }
    auto names = nlohmann::ordered_json::array();
    for (const auto& name : option->get_snames()) names.push_back("-" + name);
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    const bool takes_value = option->get_items_expected_max() > 0;
    json["flags"].push_back({{"names", names}, {"takes_value", takes_value}, {"help", help}});
  }
  return json;
}

// Whether this file stands in an argument: "a.csv", "csv:a.csv", "zip=zip.csv", "@names,b".
bool names_file(const std::string& argument, const fs::path& file) {
  std::error_code ignored;
  for (std::size_t begin = 0; begin < argument.size();) {
    const auto end = std::min(argument.find_first_of(",:=@", begin), argument.size());
    const auto rest = argument.substr(begin);  // a name may hold one of these signs itself
    if (fs::equivalent(rest, file, ignored) ||
        fs::equivalent(rest.substr(0, end - begin), file, ignored)) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

FlagSet::Flag& FlagSet::Flag::required() {
  option_of(option_).required();
  return *this;
}

FlagSet::Flag& FlagSet::Flag::repeatable() {
  option_of(option_)
      .expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  return *this;
}

FlagSet::Flag& FlagSet::Flag::separated_by(char separator) {
  option_of(option_).delimiter(separator);
  return *this;
}

FlagSet::Flag& FlagSet::Flag::writes() {
  auto& all = *flags_->implementation_;
  if (all.outputs.empty())
    all.app.add_flag("--force", all.force, "write over files that are there");
  all.outputs.push_back(&option_of(option_));
  return *this;
}

FlagSet::FlagSet(const std::string& description, const std::string& command)
    : implementation_(new Implementation{CLI::App(description, command)}) {}

FlagSet::~FlagSet() = default;

FlagSet::Flag FlagSet::add_option(const std::string& names, FlagText& target,
                                  const std::string& help) {
  return Flag(*this, implementation_->app.add_option(implementation_->without_old_names(names),
                                                     target, help));
}

FlagSet::Flag FlagSet::add_option(const std::string& names, std::string& target,
                                  const std::string& help) {
  return Flag(*this, implementation_->app.add_option(implementation_->without_old_names(names),
                                                     target, help));
}

FlagSet::Flag FlagSet::add_option(const std::string& names, std::vector<std::string>& target,
                                  const std::string& help) {
  return Flag(*this, implementation_->app.add_option(implementation_->without_old_names(names),
                                                     target, help));
}

FlagSet::Flag FlagSet::add_flag(const std::string& names, bool& target, const std::string& help) {
  return Flag(*this, implementation_->app.add_flag(implementation_->without_old_names(names),
                                                   target, help));
}

void FlagSet::footer(const std::string& text) { implementation_->app.footer(text); }
void FlagSet::allow_extras() { implementation_->app.allow_extras(); }

bool FlagSet::parse(std::vector<std::string> arguments) {
  if (arguments == std::vector<std::string>{kDescribe}) {
    std::cout << description_of(implementation_->app).dump(2) << '\n';
    return false;
  }
  for (auto& argument : arguments) argument = implementation_->in_todays_words(argument);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants it
  try {
    implementation_->app.parse(arguments);
    for (const auto* output : implementation_->outputs) {
      for (const auto& path : output->results()) check_output(output->get_name(), path);
    }
    return true;
  } catch (const CLI::CallForHelp&) {
    std::cout << implementation_->app.help();
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(one_line(error.what()));
  }
}

void FlagSet::check_output(const std::string& flag, const fs::path& path) const {
  const auto refuse = [&](const std::string& why) {
    throw UsageError(flag + " '" + path.string() + "': " + why);
  };
  std::error_code ignored;
  for (const auto* option : implementation_->app.get_options()) {
    if (option->get_name() == flag) continue;
    for (const auto& text : option->results()) {
      if (names_file(text, path)) {
        refuse("is read as well (" + option->get_name() + "); expected another file");
      }
    }
  }
  if (implementation_->force) return;
  if (fs::is_regular_file(path, ignored)) {
    refuse("is there already; expected a new file, or --force to write over it");
  }
  if (fs::is_directory(path, ignored) && !fs::is_empty(path, ignored)) {
    refuse(
        "is there already, with files in it; expected a new folder, or --force to write into it");
  }
}

std::size_t FlagSet::count(const std::string& name) const {
  return implementation_->app.count(name);
}

std::vector<std::string> FlagSet::given() const {
  std::vector<std::string> names;
  for (const auto* option : implementation_->app.get_options()) {
    if (option->count() > 0) names.push_back(option->get_name());
  }
  return names;
}

std::vector<std::string> FlagSet::remaining() const { return implementation_->app.remaining(); }

}  // namespace sotto::cli
