#include "sweep/unread_flags.h"

#include <map>

#include "settings/training_table.h"

namespace sotto::sweep {
namespace {

using settings::TrainingConfig;

bool is_given(const TrainSetting& setting) { return !setting.is_switch || setting.value == "true"; }

using Setting = settings::Setting<TrainingConfig>;

std::map<std::string, const Setting*> settings_by_name() {
  std::map<std::string, const Setting*> known;
  for (const auto& setting : settings::training_settings()) {
    if (setting.flags == nullptr) continue;
    for (const auto& name : settings::flag_names(setting.flags)) known.emplace(name, &setting);
  }
  return known;
}

// Null for a flag that is no setting of training.
const Setting* setting_of(const std::string& name) {
  static const auto kKnown = settings_by_name();
  const auto found = kKnown.find("--" + name);
  return found == kKnown.end() ? nullptr : found->second;
}

TrainingConfig config_of(const Configuration& configuration) {
  TrainingConfig config;
  for (const auto& one : configuration) {
    const auto* setting = setting_of(one.name);
    if (setting == nullptr || !is_given(one)) continue;
    try {
      settings::read(*setting, one.value, config);
    } catch (const InvalidArgument&) {
      continue;  // training refuses it by name
    }
  }
  return config;
}

}  // namespace

std::vector<UnreadFlag> unread_flags(const Configuration& configuration) {
  const auto config = config_of(configuration);
  std::vector<UnreadFlag> unread;
  for (const auto& one : configuration) {
    const auto* setting = setting_of(one.name);
    if (setting == nullptr || !is_given(one)) continue;
    const auto why = settings::why_unread(*setting, config);
    if (!why.empty()) unread.push_back({one.name, why});
  }
  return unread;
}

std::vector<UnreadFlag> useless_flags(const std::vector<Configuration>& configurations) {
  std::map<std::string, std::size_t> given;
  std::map<std::string, std::vector<UnreadFlag>> unread;
  for (const auto& configuration : configurations) {
    for (const auto& one : configuration) given[one.name] += is_given(one) ? 1 : 0;
    for (auto& flag : unread_flags(configuration)) unread[flag.name].push_back(std::move(flag));
  }
  std::vector<UnreadFlag> useless;
  for (const auto& [name, times] : unread) {
    if (times.size() == given[name]) useless.push_back(times.front());
  }
  return useless;
}

}  // namespace sotto::sweep
