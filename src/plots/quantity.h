// What ε may be plotted against.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "report/scale.h"
#include "sotto/accounting/accounting.h"

namespace sotto::plots {

using accounting::PlannedRun;

enum class Quantity : std::uint8_t {
  kAlpha,
  kDatasetSize,
  kBatchSize,
  kNoiseMultiplier,
  kEpochs,
  kDelta
};

struct Range {
  double low = 0;
  double high = 0;
};

// One of the settings of a run, as an axis.
struct QuantityTraits {
  Quantity quantity = {};
  const char* name = "";   // "dataset-size"
  const char* title = "";  // of the axis, with its symbol
  const char* unit = "";   // may be empty
  bool whole = false;      // whole numbers only
  report::Scale scale = {};
  Range usual = {};

  // "dataset_size", as in JSON.
  std::string key() const;
  // Title and unit.
  std::string label() const;
};

// All of them.
std::span<const QuantityTraits> quantities();
const QuantityTraits& traits_of(Quantity quantity);

// The run with another value of the quantity. kAlpha is not a setting: it stays as it is.
PlannedRun with_value(Quantity quantity, PlannedRun settings, double value);

// The values that all of these runs allow: a batch is not larger than the data.
Range allowed_range(Quantity quantity, std::span<const PlannedRun> runs);

}  // namespace sotto::plots
