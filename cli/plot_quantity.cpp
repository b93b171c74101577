#include "cli/plot_quantity.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

namespace sotto::cli {
namespace {

using report::Scale;

constexpr double kMost = std::numeric_limits<double>::max();
constexpr double kMostWhole = 0x1p53;
constexpr Bounds kWhole{1, true, kMostWhole, true, "a whole number of at least 1"};

constexpr std::array kQuantities = {
    QuantityTraits{PlotQuantity::kAlpha,
                   "alpha",
                   "Rényi order α",
                   "",
                   false,
                   Scale::kLog,
                   1.1,
                   63,
                   {1, false, 1e4, true, "an order above 1, at most 10000"}},
    QuantityTraits{PlotQuantity::kDatasetSize, "dataset-size", "data-set size N", "records", true,
                   Scale::kLog, 1000, 1e6, kWhole},
    QuantityTraits{PlotQuantity::kBatchSize, "batch-size", "batch size b", "records", true,
                   Scale::kLog, 16, 4096, kWhole},
    QuantityTraits{PlotQuantity::kNoiseMultiplier,
                   "noise-multiplier",
                   "noise multiplier σ",
                   "standard deviation / clipping norm",
                   false,
                   Scale::kLinear,
                   0.5,
                   4,
                   {0, true, kMost, true, "a number, 0 or above"}},
    QuantityTraits{PlotQuantity::kEpochs, "epochs", "epochs", "passes over the data", true,
                   Scale::kLinear, 1, 100, kWhole},
    QuantityTraits{PlotQuantity::kDelta,
                   "delta",
                   "δ",
                   "probability",
                   false,
                   Scale::kLog,
                   1e-8,
                   1e-3,
                   {0, false, 1, false, "a number between 0 and 1"}},
};

struct NamedFlag {
  const char* name;
  FlagText RunFlags::*text;
};

// The flags that say the same as the axis.
std::vector<NamedFlag> flags_of(PlotQuantity quantity) {
  switch (quantity) {
    case PlotQuantity::kAlpha:
      return {};
    case PlotQuantity::kDatasetSize:
      return {{"--dataset-size", &RunFlags::dataset_size},
              {"--sample-rate", &RunFlags::sample_rate}};
    case PlotQuantity::kBatchSize:
      return {{"--batch-size", &RunFlags::batch_size}, {"--sample-rate", &RunFlags::sample_rate}};
    case PlotQuantity::kNoiseMultiplier:
      return {{"--noise-multiplier", &RunFlags::noise_multiplier}};
    case PlotQuantity::kEpochs:
      return {{"--epochs", &RunFlags::epochs}, {"--steps", &RunFlags::steps}};
    case PlotQuantity::kDelta:
      return {{"--delta", &RunFlags::delta}};
  }
  throw std::logic_error("unknown quantity");
}

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

const QuantityTraits& traits_of(PlotQuantity quantity) {
  return *std::find_if(kQuantities.begin(), kQuantities.end(),
                       [&](const QuantityTraits& traits) { return traits.quantity == quantity; });
}

void leave_to_axis(PlotQuantity quantity, RunFlags& flags) {
  const auto own = flags_of(quantity);
  for (const auto& flag : own) {
    if (!(flags.*flag.text)) continue;
    throw UsageError(std::string(flag.name) + " '" + *(flags.*flag.text) + "': the axis shows " +
                     traits_of(quantity).name + "; --from and --to choose its range");
  }
  if (own.empty() || quantity == PlotQuantity::kDelta) return;
  // A value that contradicts no other.
  flags.*own.front().text =
      quantity == PlotQuantity::kDatasetSize ? std::to_string(std::int64_t{1} << 53U) : "1";
}

PlannedRun with_value(PlotQuantity quantity, PlannedRun settings, double value) {
  switch (quantity) {
    case PlotQuantity::kAlpha:
      break;
    case PlotQuantity::kDatasetSize:
      settings.run.dataset_size = static_cast<std::int64_t>(value);
      break;
    case PlotQuantity::kBatchSize:
      settings.run.batch_size = static_cast<std::int64_t>(value);
      break;
    case PlotQuantity::kNoiseMultiplier:
      settings.run.noise_multiplier = value;
      break;
    case PlotQuantity::kEpochs:
      settings.run.epochs = static_cast<std::int64_t>(value);
      break;
    case PlotQuantity::kDelta:
      settings.delta = value;
      break;
  }
  return settings;
}

ValueLimits limits_for(PlotQuantity quantity, std::span<const PlannedRun> runs) {
  ValueLimits limits{-kMost, kMost};
  for (const auto& settings : runs) {
    if (quantity == PlotQuantity::kDatasetSize) {
      limits.low = std::max(limits.low, static_cast<double>(settings.run.batch_size.value_or(1)));
    }
    if (quantity == PlotQuantity::kBatchSize && settings.run.dataset_size) {
      limits.high = std::min(limits.high, static_cast<double>(*settings.run.dataset_size));
    }
  }
  return limits;
}

}  // namespace sotto::cli
