#include "cli/flag_set.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "cli/flags.h"

namespace sotto::cli {

struct FlagSet::Implementation {
  CLI::App app;
};

namespace {

CLI::Option& option_of(void* pointer) { return *static_cast<CLI::Option*>(pointer); }

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
  option_of(option_).expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}

FlagSet::Flag& FlagSet::Flag::separated_by(char separator) {
  option_of(option_).delimiter(separator);
  return *this;
}

FlagSet::FlagSet(const std::string& description, const std::string& command)
    : implementation_(new Implementation{CLI::App(description, command)}) {}

FlagSet::~FlagSet() = default;

FlagSet::Flag FlagSet::add_option(const std::string& names, FlagText& target,
                                  const std::string& help) {
  return Flag(implementation_->app.add_option(names, target, help));
}

FlagSet::Flag FlagSet::add_option(const std::string& names, std::string& target,
                                  const std::string& help) {
  return Flag(implementation_->app.add_option(names, target, help));
}

FlagSet::Flag FlagSet::add_option(const std::string& names, std::vector<std::string>& target,
                                  const std::string& help) {
  return Flag(implementation_->app.add_option(names, target, help));
}

FlagSet::Flag FlagSet::add_flag(const std::string& names, bool& target, const std::string& help) {
  return Flag(implementation_->app.add_flag(names, target, help));
}

void FlagSet::footer(const std::string& text) { implementation_->app.footer(text); }
void FlagSet::allow_extras() { implementation_->app.allow_extras(); }

bool FlagSet::parse(std::vector<std::string> arguments) {
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants it
  try {
    implementation_->app.parse(arguments);
    return true;
  } catch (const CLI::CallForHelp&) {
    std::cout << implementation_->app.help();
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(one_line(error.what()));
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
