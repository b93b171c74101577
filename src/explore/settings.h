// The settings of a planned training run, as the page's sliders hold them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "explore/precision.h"
#include "sotto/accounting/budget.h"

namespace sotto::explore {

// What stands behind the question mark of an address, decoded.
using Parameters = std::map<std::string, std::string>;

// Poisson batches; a neighbour has a blank in place of one record.
struct Settings {
  std::int64_t dataset_size;
  std::int64_t batch_size;  // at most dataset_size
  double noise_multiplier;  // 0 or above
  std::int64_t epochs;
  double delta;           // in (0, 1)
  double target_epsilon;  // above 0

  accounting::TrainingRun run() const;
  // The same, with whom it protects unless it is told otherwise.
  accounting::PlannedRun planned(Precision precision) const;
};

inline constexpr double kMostRecords = 1e10;
inline constexpr double kMostEpochs = 1e6;
inline constexpr double kMostNoise = 1e6;
inline constexpr double kLeastDelta = 1e-100;

// Reads dataset_size, batch_size, noise_multiplier, epochs, delta and target_epsilon. Throws
// InvalidArgument, with one line that names the parameter, its value and what is accepted, if one
// is missing or out of range.
Settings settings_from(const Parameters& parameters);

// What a training run protects unless it is told otherwise.
inline accounting::Neighbours planned_neighbours() {
  return accounting::Neighbours(accounting::default_adjacency(accounting::Sampling::kPoisson));
}

}  // namespace sotto::explore
