// What ε may be plotted against.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/run_flags.h"
#include "report/scale.h"

namespace sotto::cli {

enum class PlotQuantity { kAlpha, kDatasetSize, kBatchSize, kNoiseMultiplier, kEpochs, kDelta };

// One of the settings of a run, as an axis.
struct QuantityTraits {
  PlotQuantity quantity;
  const char* name;   // as in `sotto plot NAME`
  const char* title;  // of the axis, with its symbol
  const char* unit;   // may be empty
  bool whole;         // whole numbers only
  report::Scale scale;
  double low;  // of the axis, unless the user says otherwise or the run does not allow it
  double high;
  Bounds accepted;  // unless whole

  // "dataset_size", as in JSON.
  std::string key() const;
  // Title and unit.
  std::string label() const;
};

// All of them.
std::span<const QuantityTraits> quantities();
const QuantityTraits& traits_of(PlotQuantity quantity);

// Refuses flags that say what the axis is to say, and fills in whatever lets the rest be read.
// Throws UsageError.
void leave_to_axis(PlotQuantity quantity, RunFlags& flags);

// The run with another value of the quantity. kAlpha is not a setting: it stays as it is.
PlannedRun with_value(PlotQuantity quantity, PlannedRun settings, double value);

// The values an axis may have for all of these runs: a batch is not larger than the data.
struct ValueLimits {
  double low;
  double high;
};
ValueLimits limits_for(PlotQuantity quantity, std::span<const PlannedRun> runs);

}  // namespace sotto::cli
