// The runs of a sweep, decided before the first one starts.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/sweep_settings.h"

namespace sotto::sweep {

struct TrainSetting {
  std::string name;  // without dashes
  std::string value;
  bool is_switch = false;

  bool operator==(const TrainSetting&) const = default;
};
using Configuration = std::vector<TrainSetting>;

// "batch-size 256, learning-rate 0.5".
std::string describe(const Configuration& configuration);
// Without what nothing would read in this run, which `sotto train` refuses.
Configuration used_flags(const Configuration& configuration);
// Nothing of a flag that the configuration does not have.
std::optional<std::string> value_of(const Configuration& configuration, std::string_view flag);
// Of its used flags, as `sotto train` takes them.
std::vector<std::string> arguments_of(const Configuration& configuration);

class SweepPlan {
 public:
  // Expands a grid (the last flag varies fastest), or draws: from the seed, without repetition; or,
  // if the number of configurations is drawn as well, from the operating system's randomness, each
  // independently of the others. Throws InvalidArgument if the settings do not go together, or ask
  // for more than 100000 runs.
  explicit SweepPlan(const SweepSettings& settings);
  // From to_json(). Throws InvalidArgument if it is none.
  explicit SweepPlan(const nlohmann::ordered_json& json);

  const std::vector<Configuration>& configurations() const { return configurations_; }
  std::size_t repeats() const { return repeats_; }
  std::size_t runs() const { return configurations_.size() * repeats_; }
  // Every configuration runs once before any is repeated.
  std::size_t configuration_of(std::size_t run) const { return run % configurations_.size(); }
  std::size_t repeat_of(std::size_t run) const { return run / configurations_.size(); }
  // Names of the flags that have several values, in order.
  std::vector<std::string> varying() const;

  const nlohmann::json& settings() const { return settings_; }
  // How the number of configurations was drawn; nothing if it was not.
  std::optional<RandomCount> draw() const;

  nlohmann::ordered_json to_json() const;

 private:
  nlohmann::json settings_;
  std::size_t repeats_ = 1;
  std::vector<Configuration> configurations_;
};

// The plan in `file`, which was made there before with the same settings; otherwise a new one,
// which is written there first. Throws InvalidArgument, naming what differs, if the file has
// another plan; FileError.
SweepPlan plan_for(const SweepSettings& settings, const std::filesystem::path& file);
// The plan in `file`. Throws InvalidArgument, naming the file, if it does not exist or is not a
// plan.
SweepPlan read_plan(const std::filesystem::path& file);

}  // namespace sotto::sweep
