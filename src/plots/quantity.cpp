#include "plots/quantity.h"

#include <algorithm>
#include <array>
#include <limits>

namespace sotto::plots {
namespace {

using report::Scale;

constexpr double kMost = std::numeric_limits<double>::max();
constexpr std::array kQuantities = {
    QuantityTraits{Quantity::kAlpha, "alpha", "Rényi order α", "", false, Scale::kLog, {1.1, 63}},
    QuantityTraits{Quantity::kDatasetSize,
                   "dataset-size",
                   "data-set size N",
                   "records",
                   true,
                   Scale::kLog,
                   {1000, 1e6}},
    QuantityTraits{Quantity::kBatchSize,
                   "batch-size",
                   "batch size b",
                   "records",
                   true,
                   Scale::kLog,
                   {16, 4096}},
    QuantityTraits{Quantity::kNoiseMultiplier,
                   "noise-multiplier",
                   "noise multiplier σ",
                   "standard deviation / clipping norm",
                   false,
                   Scale::kLinear,
                   {0.5, 4}},
    QuantityTraits{Quantity::kEpochs,
                   "epochs",
                   "epochs",
                   "passes over the data",
                   true,
                   Scale::kLinear,
                   {1, 100}},
    QuantityTraits{
        Quantity::kDelta, "delta", "δ", "probability", false, Scale::kLog, {1e-8, 1e-3}}};

}  // namespace

std::string QuantityTraits::key() const {
  std::string text = name;
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

std::string QuantityTraits::label() const {
  return *unit == '\0' ? std::string(title) : std::string(title) + " (" + unit + ")";
}

std::span<const QuantityTraits> quantities() { return kQuantities; }

const QuantityTraits& traits_of(Quantity quantity) {
  return *std::find_if(kQuantities.begin(), kQuantities.end(),
                       [&](const QuantityTraits& traits) { return traits.quantity == quantity; });
}

PlannedRun with_value(Quantity quantity, PlannedRun settings, double value) {
  switch (quantity) {
    case Quantity::kAlpha:
      break;
    case Quantity::kDatasetSize:
      settings.run.dataset_size = static_cast<std::int64_t>(value);
      break;
    case Quantity::kBatchSize:
      settings.run.batch_size = static_cast<std::int64_t>(value);
      break;
    case Quantity::kNoiseMultiplier:
      settings.run.noise_multiplier = value;
      break;
    case Quantity::kEpochs:
      settings.run.epochs = static_cast<std::int64_t>(value);
      break;
    case Quantity::kDelta:
      settings.delta = value;
      break;
  }
  return settings;
}

Range allowed_range(Quantity quantity, std::span<const PlannedRun> runs) {
  Range limits{-kMost, kMost};
  for (const auto& settings : runs) {
    if (quantity == Quantity::kDatasetSize) {
      limits.low = std::max(limits.low, static_cast<double>(settings.run.batch_size.value_or(1)));
    }
    if (quantity == Quantity::kBatchSize && settings.run.dataset_size) {
      limits.high = std::min(limits.high, static_cast<double>(*settings.run.dataset_size));
    }
  }
  return limits;
}

}  // namespace sotto::plots
