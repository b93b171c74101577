// A configuration's settings as flags: declared from its table, read into it.
#pragma once

#include <string>
#include <vector>

#include "cli/flags.h"
#include "settings/setting.h"

namespace sotto::cli {

template <typename Config>
class ConfigFlags {
 public:
  // The app writes into this object when it parses.
  ConfigFlags(settings::Table<Config> table, FlagSet& app) : table_(table), given_(table.size()) {
    for (std::size_t i = 0; i < table.size(); ++i) declare(table[i], given_[i], app);
  }
  ConfigFlags(const ConfigFlags&) = delete;
  ConfigFlags& operator=(const ConfigFlags&) = delete;

  // Sets what was given. Throws UsageError, naming the flag, its value and what is accepted.
  void apply(Config& config) const {
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const auto& setting = table_[i];
      for (const auto& text : given_[i].texts()) {
        flag_value(flag_of(setting), text, [&](const std::string& value) {
          settings::read(setting, value, config);
          return true;
        });
      }
    }
  }

  // Throws UsageError for two flags that say the same, and for one that was given and that nothing
  // reads under `config`.
  void refuse_useless(const FlagSet& app, const Config& config) const {
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const auto& setting = table_[i];
      if (given_[i].texts().empty() || setting.other == nullptr) continue;
      if (app.count(setting.other) == 0) continue;
      throw UsageError(flag_of(setting) + " and " + setting.other + ": give one of them");
    }
    for (std::size_t i = 0; i < table_.size(); ++i) {
      if (given_[i].texts().empty()) continue;
      const auto why = settings::why_unread(table_[i], config);
      if (!why.empty()) throw UsageError(flag_of(table_[i]) + ": " + why);
    }
  }

 private:
  struct Given {
    FlagText text;
    std::vector<std::string> list;
    bool on = false;

    std::vector<std::string> texts() const {
      if (text) return {*text};
      return on ? std::vector<std::string>{"true"} : list;
    }
  };

  static std::string flag_of(const settings::Setting<Config>& setting) {
    return settings::long_flag(setting.flags);
  }

  static void declare(const settings::Setting<Config>& setting, Given& given, FlagSet& app) {
    if (setting.flags == nullptr) return;
    const std::string names = setting.flags + (" " + settings::value_text(setting));
    switch (setting.form) {
      case settings::Form::kValue:
        app.add_option(names, given.text, setting.help);
        return;
      case settings::Form::kValues:
        app.add_option(names, given.list, setting.help);
        return;
      case settings::Form::kSwitch:
        app.add_flag(setting.flags, given.on, setting.help);
    }
  }

  settings::Table<Config> table_;
  std::vector<Given> given_;
};

}  // namespace sotto::cli
