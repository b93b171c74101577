// ε along one of the settings, the others staying as they are.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "explore/settings.h"

namespace sotto::explore {

enum class Along { kEpochs, kNoise, kBatchSize };

// "epochs", "noise_multiplier" or "batch_size". Throws InvalidArgument for any other text.
Along along_from_name(std::string_view text);

struct CurvePoint {
  double x;
  double epsilon;        // an upper bound; may be infinite
  double epsilon_lower;  // a bound from below; 0 where nothing is known
};

// Points of ascending x, the present setting among them (unless there is no noise at all). They are
// computed from coarse to fine: after `time_limit` those not yet begun are left out, though never
// the ends nor the present setting.
std::vector<CurvePoint> curve(const Settings& settings, Along along,
                              std::chrono::milliseconds time_limit);

// An object: points, an array of [x, ε] with null for no bound; excess, how far a point may lie
// above the true ε at most, as a share of that; null if it is not known of all of them.
nlohmann::ordered_json curve_json(const std::vector<CurvePoint>& points);

}  // namespace sotto::explore
