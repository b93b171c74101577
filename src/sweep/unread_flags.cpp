#include "sweep/unread_flags.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

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
    } catch (const InvalidArgument&) {  // training refuses it by name
      if (one.name == "dataset") config.dataset = one.value;
    }
  }
  return config;
}

bool gives(const Configuration& configuration, std::string_view name) {
  return std::any_of(configuration.begin(), configuration.end(),
                     [&](const TrainSetting& one) { return one.name == name && is_given(one); });
}

// Plans of older versions may have both seeds, of which training read the second.
std::string why_unread(const TrainSetting& one, const Setting& setting,
                       const Configuration& configuration, const TrainingConfig& config) {
  const bool is_first = one.name == "seed" && gives(configuration, "insecure-seed");
  return is_first ? std::string("nothing reads it beside ") + setting.other
                  : settings::why_unread(setting, config);
}

}  // namespace

bool decides_use(const std::string& flag) {
  // What the conditions of settings::training_settings() look at.
  constexpr std::array<std::string_view, 6> kDeciding = {"dataset", "disable-dp", "loss",
                                                         "method",  "model",      "sampling"};
  return std::find(kDeciding.begin(), kDeciding.end(), flag) != kDeciding.end();
}

std::vector<UnreadFlag> unread_flags(const Configuration& configuration) {
  const auto config = config_of(configuration);
  std::vector<UnreadFlag> unread;
  for (const auto& one : configuration) {
    const auto* setting = setting_of(one.name);
    if (setting == nullptr || !is_given(one)) continue;
    const auto why = why_unread(one, *setting, configuration, config);
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
