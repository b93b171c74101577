// What a sweep is to try: flags of `sotto train` with several values each.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/run_count.h"

namespace sotto::sweep {

enum class Mode {
  kGrid,    // every combination
  kRandom,  // combinations drawn at random
};
// "grid" or "random".
std::string_view to_string(Mode mode);
// Throws InvalidArgument, naming the accepted spellings, for any other text.
Mode mode_from_name(std::string_view text);

// Numbers to draw from, uniformly or uniformly in their logarithm.
struct ValueRange {
  double from = 0;
  double to = 0;
  bool logarithmic = false;
  bool whole = false;  // whole numbers only
};

struct SweptFlag {
  std::string name;                 // as `sotto train` has it, without dashes
  std::vector<std::string> values;  // either these, or
  std::optional<ValueRange> range = {};
  bool is_switch = false;  // takes no value: "true" gives it, "false" leaves it out

  bool varies() const { return range || values.size() > 1; }
};

struct SweepSettings {
  std::optional<Mode> mode = {};  // by default a grid, unless samples or draw ask for chance
  std::vector<SweptFlag> flags = {};
  std::optional<std::int64_t> samples = {};  // random: how many configurations
  std::optional<std::uint64_t> seed = {};    // random: of the choice (default 0)
  std::optional<RandomCount> draw = {};      // random: draws their number, too, instead of samples
  std::int64_t repeats = 1;                  // runs of each configuration

  Mode chosen_mode() const;
  const SweptFlag* find(std::string_view flag) const;
};

// Throws InvalidArgument, naming the setting and what is accepted, if they do not go together.
void check_settings(const SweepSettings& settings);

// What a plan is compared by.
nlohmann::json to_json(const SweepSettings& settings);

}  // namespace sotto::sweep
