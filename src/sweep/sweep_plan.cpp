#include "sweep/sweep_plan.h"

#include <algorithm>

#include "core/atomic_file.h"
#include "core/shallow_json.h"
#include "plan/plan_difference.h"
#include "sotto/core/error.h"
#include "sweep/expansion.h"
#include "sweep/unread_flags.h"

namespace sotto::sweep {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kFormat = "sotto-sweep-plan";

OrderedJson json_of(const Configuration& configuration) {
  OrderedJson json = OrderedJson::object();
  for (const auto& setting : configuration) {
    json[setting.name] =
        setting.is_switch ? OrderedJson(setting.value == "true") : OrderedJson(setting.value);
  }
  return json;
}

Configuration configuration_from(const OrderedJson& json) {
  Configuration configuration;
  for (const auto& [name, value] : json.items()) {
    const bool is_switch = value.is_boolean();
    const std::string text =
        is_switch ? (value.get<bool>() ? "true" : "false") : value.get<std::string>();
    configuration.push_back({name, text, is_switch});
  }
  return configuration;
}

void require_same_settings(const nlohmann::json& planned, const nlohmann::json& asked,
                           const std::filesystem::path& file) {
  const auto difference = first_difference(planned, asked);
  if (!difference) return;
  throw InvalidArgument(file.string() + ": the sweep there has " + difference->left + " for " +
                        difference->key + ", this one " + difference->right +
                        "; accepted: the same settings, or another folder");
}

}  // namespace

std::string describe(const Configuration& configuration) {
  std::string text;
  for (const auto& setting : configuration) {
    text += (text.empty() ? "" : ", ") + setting.name + ' ' + setting.value;
  }
  return text;
}

Configuration used_flags(const Configuration& configuration) {
  const auto unread = unread_flags(configuration);
  Configuration used = configuration;
  std::erase_if(used, [&](const TrainSetting& setting) {
    return std::any_of(unread.begin(), unread.end(),
                       [&](const UnreadFlag& flag) { return flag.name == setting.name; });
  });
  return used;
}

std::optional<std::string> value_of(const Configuration& configuration, std::string_view flag) {
  for (const auto& setting : configuration) {
    if (setting.name == flag) return setting.value;
  }
  return std::nullopt;
}

std::vector<std::string> arguments_of(const Configuration& configuration) {
  std::vector<std::string> arguments;
  for (const auto& setting : used_flags(configuration)) {
    if (setting.is_switch && setting.value == "false") continue;
    arguments.push_back("--" + setting.name);
    if (!setting.is_switch) arguments.push_back(setting.value);
  }
  return arguments;
}

SweepPlan::SweepPlan(const SweepSettings& settings)
    : settings_(sweep::to_json(settings)), repeats_(static_cast<std::size_t>(settings.repeats)) {
  check_settings(settings);
  configurations_ = expanded(settings);
}

SweepPlan::SweepPlan(const OrderedJson& json) {
  try {
    check_argument(json.at("format") == kFormat && json.at("version") == 1, "is not a sweep plan");
    settings_ = nlohmann::json::parse(json.at("settings").dump());
    repeats_ = settings_.at("repeats").get<std::size_t>();
    for (const auto& one : json.at("configurations")) {
      configurations_.push_back(configuration_from(one));
    }
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument("is not a sweep plan");
  }
}

std::vector<std::string> SweepPlan::varying() const {
  std::vector<std::string> names;
  for (const auto& setting : configurations_.empty() ? Configuration() : configurations_[0]) {
    const auto& values = settings_.at("train").at(setting.name);
    if (values.is_object() || values.size() > 1) names.push_back(setting.name);
  }
  return names;
}

std::optional<RandomCount> SweepPlan::draw() const {
  const auto draw = settings_.find("draw");
  if (draw == settings_.end()) return std::nullopt;
  return RandomCount(runs_distribution_from_name(draw->at("distribution").get<std::string>()),
                     draw->at("mean").get<double>());
}

OrderedJson SweepPlan::to_json() const {
  OrderedJson json = {{"format", kFormat}, {"version", 1}, {"settings", settings_}};
  json["configurations"] = OrderedJson::array();
  for (const auto& one : configurations_) json["configurations"].push_back(json_of(one));
  return json;
}

SweepPlan plan_for(const SweepSettings& settings, const std::filesystem::path& file) {
  if (std::filesystem::exists(file)) {
    check_settings(settings);
    SweepPlan plan = read_plan(file);
    require_same_settings(plan.settings(), to_json(settings), file);
    return plan;
  }
  SweepPlan plan(settings);
  write_file_atomically(file, plan.to_json().dump(2) + "\n");
  return plan;
}

SweepPlan read_plan(const std::filesystem::path& file) {
  constexpr int kDepth = 16;
  const auto json = read_shallow_json(file, kDepth);
  try {
    return SweepPlan(json);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(file.string() + ": " + error.what());
  }
}

}  // namespace sotto::sweep
