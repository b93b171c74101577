#include "cli/plot_flags.h"

#include <array>

#include "report/number_text.h"

namespace sotto::cli {
namespace {

using plots::Quantity;
using plots::Range;
using report::number_text;

struct NamedFlag {
  const char* name;
  FlagText RunFlags::*text;
};

constexpr NamedFlag kDatasetSize{"--dataset-size", &RunFlags::dataset_size};
constexpr NamedFlag kBatchSize{"--batch-size", &RunFlags::batch_size};
constexpr NamedFlag kSampleRate{"--sample-rate", &RunFlags::sample_rate};
constexpr NamedFlag kNoise{"--noise-multiplier", &RunFlags::noise_multiplier};
constexpr NamedFlag kEpochs{"--epochs", &RunFlags::epochs};
constexpr NamedFlag kSteps{"--steps", &RunFlags::steps};
constexpr NamedFlag kDelta{"--delta", &RunFlags::delta};

constexpr std::array kListFlags = {kDatasetSize,
                                   kBatchSize,
                                   kSampleRate,
                                   kNoise,
                                   kEpochs,
                                   kSteps,
                                   kDelta,
                                   NamedFlag{"--sampling", &RunFlags::sampling},
                                   NamedFlag{"--adjacency", &RunFlags::adjacency},
                                   NamedFlag{"--group-size", &RunFlags::group_size},
                                   NamedFlag{"--conversion", &RunFlags::conversion},
                                   NamedFlag{"--accountant", &RunFlags::accountant}};

// The flags that say the same as the axis.
std::vector<NamedFlag> flags_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::kAlpha:
      return {};
    case Quantity::kDatasetSize:
      return {kDatasetSize, kSampleRate};
    case Quantity::kBatchSize:
      return {kBatchSize, kSampleRate};
    case Quantity::kNoiseMultiplier:
      return {kNoise};
    case Quantity::kEpochs:
      return {kEpochs, kSteps};
    case Quantity::kDelta:
      return {kDelta};
  }
  throw std::logic_error("unknown quantity");
}

double end_flag(Quantity quantity, const char* flag, const std::string& text) {
  switch (quantity) {
    case Quantity::kAlpha:
      return number_flag(flag, text, {1, false, 1e4, true, "an order above 1, at most 10000"});
    case Quantity::kNoiseMultiplier:
      return nonnegative_flag(flag, text);
    case Quantity::kDelta:
      return probability_flag(flag, text);
    default:
      return static_cast<double>(count_flag(flag, text));
  }
}

void check_range(Quantity quantity, const AxisFlags& flags, const Range& range,
                 const Range& allowed) {
  if (range.low < allowed.low) {
    throw UsageError("--from '" + *flags.from + "': expected at least the largest batch size, " +
                     number_text(allowed.low));
  }
  if (range.high > allowed.high) {
    throw UsageError("--to '" + *flags.to + "': expected at most the smallest data-set size, " +
                     number_text(allowed.high));
  }
  if (range.low >= range.high) {
    const bool from = flags.from.has_value();
    throw UsageError(std::string(from ? "--from" : "--to") + " '" +
                     (from ? *flags.from : flags.to.value_or(number_text(range.high))) + "': " +
                     plots::traits_of(quantity).name + " would run from " + number_text(range.low) +
                     " to " + number_text(range.high) + "; expected --from below --to");
  }
  if (flags.scale == report::Scale::kLog && range.low <= 0) {
    throw UsageError("--from '" + flags.from.value_or("0") +
                     "': a logarithmic axis begins above 0");
  }
}

}  // namespace

std::vector<RunFlags> combinations(const RunFlags& flags) {
  std::vector<RunFlags> all{flags};
  if (flags.accountant == "all") all.front().accountant = "pld,rdp,gdp";
  for (const auto& flag : kListFlags) {
    if (!(all.front().*flag.text)) continue;
    const auto values = list_flag(flag.name, *(all.front().*flag.text));
    std::vector<RunFlags> more;
    for (const auto& one : all) {
      for (const auto& value : values) {
        more.push_back(one);
        more.back().*flag.text = value;
      }
    }
    all = std::move(more);
  }
  return all;
}

void leave_to_axis(Quantity quantity, RunFlags& flags) {
  const auto own = flags_of(quantity);
  for (const auto& flag : own) {
    if (!(flags.*flag.text)) continue;
    throw UsageError(std::string(flag.name) + " '" + *(flags.*flag.text) + "': the axis shows " +
                     plots::traits_of(quantity).name + "; --from and --to choose its range");
  }
  if (own.empty() || quantity == Quantity::kDelta) return;
  // A value that contradicts no other.
  flags.*own.front().text =
      quantity == Quantity::kDatasetSize ? std::to_string(std::int64_t{1} << 53U) : "1";
}

plots::Axis read_axis(Quantity quantity, const AxisFlags& flags, std::span<const PlannedRun> runs) {
  Range range = plots::usual_range(quantity, runs);
  if (flags.from) range.low = end_flag(quantity, "--from", *flags.from);
  if (flags.to) range.high = end_flag(quantity, "--to", *flags.to);
  check_range(quantity, flags, range, plots::allowed_range(quantity, runs));
  auto axis = plots::axis_over(quantity, range, flags.scale, flags.points);
  axis.chosen = flags.from || flags.to;
  return axis;
}

}  // namespace sotto::cli
