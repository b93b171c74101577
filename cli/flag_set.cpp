#include "cli/flag_set.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command_group.h"
#include "cli/flags.h"
#include "cli/help_text.h"
#include "cli/nearest_word.h"
#include "cli/output_guard.h"
#include "cli/text_layout.h"
#include "settings/setting.h"

namespace sotto::cli {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::istringstream parts(text);
  std::vector<std::string> words;
  for (std::string word; std::getline(parts, word, separator);) words.push_back(word);
  return words;
}

// "-b,--batch-size|--batch N": names of today, old names, and what stands for the value.
struct Declaration {
  std::string names;
  std::vector<std::string> old_names;
  std::string value;

  explicit Declaration(const std::string& text) {
    const auto space = text.find(' ');
    if (space != std::string::npos) value = text.substr(space + 1);
    old_names = split(text.substr(0, space), '|');
    names = old_names.front();
    old_names.erase(old_names.begin());
  }
};

}  // namespace

struct FlagSet::Implementation {
  CLI::App app;
  std::map<std::string, std::string> old_names = {};  // to those of today
  std::vector<CLI::Option*> outputs = {};
  std::vector<CLI::Option*> outputs_of_parse = {};               // those that parse() checks
  std::map<const CLI::Option*, OutputGuard::Input> inputs = {};  // text, if not here
  OutputGuard guard = {};
  bool force = false;
  bool extras_allowed = false;

  template <typename Target>
  CLI::Option* add_option(const std::string& text, Target& target, const std::string& help) {
    const Declaration declared(text);
    remember_old_names(declared);
    return app.add_option(declared.names, target, help)
        ->type_name(declared.value.empty() ? kAnyValue : declared.value);
  }

  void remember_old_names(const Declaration& declared) {
    for (const auto& old : declared.old_names) {
      old_names[old] = settings::long_flag(declared.names);
    }
  }

  std::string in_todays_words(const std::string& argument) const {
    const auto end = argument.find('=');
    const auto found = old_names.find(argument.substr(0, end));
    if (found == old_names.end()) return argument;
    return found->second + (end == std::string::npos ? "" : argument.substr(end));
  }

  void add_output(CLI::Option* option) {
    if (outputs.empty()) app.add_flag("--force", force, "overwrite existing files");
    outputs.push_back(option);
  }

  // Knows what is given, and checks what has a name.
  void guard_outputs() {
    guard.allow_overwriting(force);
    for (const auto* option : app.get_options()) {
      if (std::find(outputs.begin(), outputs.end(), option) != outputs.end()) continue;
      const auto kind = inputs.find(option);
      for (const auto& text : option->results()) {
        guard.add_input(option->get_name(), text,
                        kind == inputs.end() ? OutputGuard::Input::kText : kind->second);
      }
    }
    for (const auto* output : outputs_of_parse) {
      for (const auto& path : output->results()) guard.check_file(output->get_name(), path);
    }
  }

  static constexpr const char* kAnyValue = "VALUE";
};

namespace {

namespace fs = std::filesystem;

CLI::Option& option_of(void* pointer) { return *static_cast<CLI::Option*>(pointer); }

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

bool takes_several(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

// "poisson|fixed-size|none" is a choice among words; "FILE" and "A,B|@FILE" are not.
std::vector<std::string> words_in(const std::string& value) {
  auto words = split(value, '|');
  const auto is_word = [](const std::string& word) {
    return word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  };
  const bool is_choice = words.size() > 1 && std::all_of(words.begin(), words.end(), is_word);
  return is_choice ? words : std::vector<std::string>{};
}

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
    nlohmann::ordered_json flag{
        {"names", names_of(*option)}, {"takes_value", takes_value(*option)}, {"help", help}};
    if (takes_value(*option)) {
      flag["value"] = option->get_type_name();
      flag["words"] = words_in(option->get_type_name());
    }
    json["flags"].push_back(flag);
  }
  return json;
}

std::string label_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name();
  std::string label;
  for (const auto& name : names_of(option)) label += (label.empty() ? "" : ",") + name;
  return takes_value(option) ? label + " " + option.get_type_name() : label;
}

// "sotto evaluate MODEL [FILE...] [FLAGS]"
std::string usage_of(const CLI::App& app) {
  std::string usage = "Usage: " + app.get_name();
  for (const auto* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const auto name = option->get_name() + (takes_several(*option) ? "..." : "");
    usage += option->get_required() ? " " + name : " [" + name + "]";
  }
  return usage + " [FLAGS]";
}

std::string help_of(const CLI::App& app, std::size_t columns) {
  std::vector<ListItem> arguments;
  std::vector<ListItem> flags;
  for (const auto* option : app.get_options()) {
    auto& items = option->get_positional() ? arguments : flags;
    items.push_back({label_of(*option), option->get_description()});
  }
  std::string text = wrapped(app.get_description(), columns, 0) + "\n\n" +
                     wrapped(usage_of(app), columns, 4) + '\n';
  if (!arguments.empty()) text += "\nArguments:\n" + item_list(arguments, columns);
  text += "\nFlags:\n" + item_list(flags, columns);
  return text + fitted_footer(app.get_footer(), columns);
}

std::vector<std::string> all_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) {
    for (const auto& name : names_of(*option)) names.push_back(name);
  }
  return names;
}

// Of what nothing was declared for, names the first flag, or else the first word: what follows a
// mistyped flag is most often its value.
void refuse_extras(const CLI::App& app) {
  auto extras = app.remaining();
  extras.erase(std::remove(extras.begin(), extras.end(), "--"), extras.end());
  if (extras.empty()) return;
  const auto flag = std::find_if(extras.begin(), extras.end(), [](const std::string& word) {
    return word.size() > 1 && word[0] == '-';
  });
  if (flag == extras.end()) {
    throw UsageError("'" + extras.front() + "': not expected here; `" + app.get_name() +
                     " --help` shows what is");
  }
  throw UsageError(unknown_flag(flag->substr(0, flag->find('=')), all_names(app), app.get_name()));
}

// CLI11 says "--epochs: 1 required N missing" and "MODEL is required".
std::string worded(const CLI::ParseError& error) {
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto count = text.find(": 1 required ");
  const auto end = text.rfind(" missing");
  if (count == std::string::npos || end == std::string::npos) return text;
  return text.substr(0, count) + ": expected a value after it";
}

}  // namespace

std::string unknown_flag(const std::string& flag, const std::vector<std::string>& known,
                         const std::string& command) {
  const auto nearest = nearest_word(flag, known);
  return flag + ": unknown; " +
         (nearest.empty() ? "`" + command + " --help` lists the flags"
                          : "did you mean " + nearest + "?");
}

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
  names_outputs();
  flags_->implementation_->outputs_of_parse.push_back(&option_of(option_));
  return *this;
}

FlagSet::Flag& FlagSet::Flag::names_outputs() {
  flags_->implementation_->add_output(&option_of(option_));
  return *this;
}

FlagSet::Flag& FlagSet::Flag::makes() {
  flags_->implementation_->inputs[&option_of(option_)] = OutputGuard::Input::kMade;
  return *this;
}

FlagSet::Flag& FlagSet::Flag::reads() {
  flags_->implementation_->inputs[&option_of(option_)] = OutputGuard::Input::kData;
  return *this;
}

FlagSet::Flag& FlagSet::Flag::names_run() {
  flags_->implementation_->inputs[&option_of(option_)] = OutputGuard::Input::kRun;
  return *this;
}

FlagSet::FlagSet(const std::string& description, const std::string& command)
    : implementation_(new Implementation{CLI::App(description, command)}) {
  auto& app = implementation_->app;
  app.set_help_flag("-h,--help", "print this and exit");
  app.allow_extras();  // which are refused here, one by one
}

FlagSet::~FlagSet() = default;

FlagSet::Flag FlagSet::add_option(const std::string& names, FlagText& target,
                                  const std::string& help) {
  return Flag(*this, implementation_->add_option(names, target, help));
}

FlagSet::Flag FlagSet::add_option(const std::string& names, std::string& target,
                                  const std::string& help) {
  return Flag(*this, implementation_->add_option(names, target, help));
}

FlagSet::Flag FlagSet::add_option(const std::string& names, std::vector<std::string>& target,
                                  const std::string& help) {
  return Flag(*this, implementation_->add_option(names, target, help));
}

FlagSet::Flag FlagSet::add_flag(const std::string& names, bool& target, const std::string& help) {
  const Declaration declared(names);
  implementation_->remember_old_names(declared);
  return Flag(*this, implementation_->app.add_flag(declared.names, target, help));
}

void FlagSet::footer(const std::string& text) { implementation_->app.footer(text); }
void FlagSet::allow_extras() { implementation_->extras_allowed = true; }

bool FlagSet::parse(std::vector<std::string> arguments) {
  auto& all = *implementation_;
  if (arguments == std::vector<std::string>{kDescribe}) {
    std::cout << description_of(all.app).dump(2) << '\n';
    return false;
  }
  if (arguments.size() == 1 && is_version_flag(arguments[0])) {
    print_version();
    return false;
  }
  for (auto& argument : arguments) argument = all.in_todays_words(argument);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants it
  try {
    all.app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    std::cout << help_of(all.app, help_columns());
    return false;
  } catch (const CLI::ParseError& error) {
    // A mistyped flag explains what seems to be missing.
    if (!all.extras_allowed) refuse_extras(all.app);
    throw UsageError(worded(error));
  }
  if (!all.extras_allowed) refuse_extras(all.app);
  all.guard_outputs();
  return true;
}

void FlagSet::check_output(const std::string& flag, const fs::path& path) {
  implementation_->guard.check_file(flag, path);
}

void FlagSet::check_output_folder(const std::string& flag, const fs::path& path) {
  implementation_->guard.check_folder(flag, path);
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

std::vector<std::string> FlagSet::names() const { return all_names(implementation_->app); }

std::vector<std::string> FlagSet::remaining() const { return implementation_->app.remaining(); }

}  // namespace sotto::cli
