// The questions turned round: what keeps to the target ε. Answers are safe. They are exact to a few
// percent if `complete`; otherwise time ran out, and more of it may find a better one.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>

#include "explore/settings.h"

namespace sotto::explore {

// An object: noise_multiplier, the least noise that keeps these epochs to the target; null, with a
// reason, if none was found, or not in time.
nlohmann::ordered_json noise_needed(const Settings& settings, std::chrono::milliseconds time_limit);

// An object: epochs, how many keep to the target with this noise; 0, with a reason, if not even one
// does, null if that was not known in time; at_limit if more than kMostEpochs would.
nlohmann::ordered_json epochs_affordable(const Settings& settings,
                                         std::chrono::milliseconds time_limit);

}  // namespace sotto::explore
