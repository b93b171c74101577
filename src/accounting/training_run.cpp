#include "sotto/accounting/training_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/counted.h"
#include "sotto/core/error.h"

namespace sotto::accounting {

namespace {

void check_rate_description(const TrainingRunOptions& options) {
  const bool sizes = options.dataset_size && options.batch_size;
  check_argument(!(options.batch_size && options.sample_rate),
                 "give a batch size or a sample rate, not both");
  check_argument(sizes || options.sample_rate || options.sampling == Sampling::kNone,
                 "the sample rate is unknown: give data-set size and batch size, or the rate");
  if (options.dataset_size) {
    check_argument(*options.dataset_size >= 1, "data-set size must be at least 1, got ",
                   *options.dataset_size);
  }
  if (options.batch_size) {
    check_argument(*options.batch_size >= 1, "batch size must be at least 1, got ",
                   *options.batch_size);
  }
  if (sizes) {
    check_argument(*options.batch_size <= *options.dataset_size, "batch size ", *options.batch_size,
                   " exceeds data-set size ", *options.dataset_size);
  }
  if (options.sample_rate) {
    check_argument(*options.sample_rate > 0 && *options.sample_rate <= 1,
                   "sample rate must be in (0, 1], got ", *options.sample_rate);
  }
}

void check_length_description(const TrainingRunOptions& options) {
  check_argument(options.epochs.has_value() != options.steps.has_value(),
                 "give a number of epochs or of steps, one of them");
  if (options.epochs) {
    check_argument(*options.epochs >= 1, "epochs must be at least 1, got ", *options.epochs);
  }
  if (options.steps) {
    check_argument(*options.steps >= 1, "steps must be at least 1, got ", *options.steps);
  }
}

}  // namespace

std::int64_t steps_per_epoch(std::int64_t dataset_size, std::int64_t batch_size) {
  return dataset_size / batch_size + (dataset_size % batch_size != 0 ? 1 : 0);
}

std::int64_t steps_per_epoch(double sample_rate) {
  const double exact = 1 / sample_rate;
  check_argument(exact < 1e15, "sample rate ", sample_rate,
                 " is too small to count epochs; give steps instead");
  const double nearest = std::round(exact);
  // 1/q misses an integer by rounding alone: 1/(1/93.) must be 93 steps.
  const bool whole = std::abs(exact - nearest) <= 1e-9 * exact;
  return static_cast<std::int64_t>(whole ? nearest : std::ceil(exact));
}

TrainingRun::TrainingRun(const TrainingRunOptions& options) : options_(options) {
  check_rate_description(options);
  check_length_description(options);
  check_argument(options.noise_multiplier >= 0 && std::isfinite(options.noise_multiplier),
                 "noise multiplier must be at least 0 and finite, got ", options.noise_multiplier);
  if (options.dataset_size && options.batch_size) {
    sample_rate_ =
        static_cast<double>(*options.batch_size) / static_cast<double>(*options.dataset_size);
    steps_per_epoch_ = accounting::steps_per_epoch(*options.dataset_size, *options.batch_size);
  } else if (options.sample_rate) {
    sample_rate_ = *options.sample_rate;
    steps_per_epoch_ = options.epochs || options.sampling == Sampling::kShuffled
                           ? accounting::steps_per_epoch(sample_rate_)
                           : 1;
  }
  if (options.steps) {
    steps_ = *options.steps;
  } else {
    check_argument(*options.epochs <= std::numeric_limits<std::int64_t>::max() / steps_per_epoch_,
                   "too many steps: ", *options.epochs, " epochs of ", steps_per_epoch_);
    steps_ = *options.epochs * steps_per_epoch_;
  }
}

TrainingRun TrainingRun::with_noise_multiplier(double noise_multiplier) const {
  TrainingRunOptions options = options_;
  options.noise_multiplier = noise_multiplier;
  return TrainingRun(options);
}

TrainingRun TrainingRun::with_epochs(std::int64_t epochs) const {
  TrainingRunOptions options = options_;
  options.epochs = epochs;
  options.steps.reset();
  return TrainingRun(options);
}

Composition TrainingRun::composition(const Neighbours& neighbours) const {
  const double noise = options_.noise_multiplier;
  switch (options_.sampling) {
    case Sampling::kPoisson:
      return {PoissonGaussianEvent(sample_rate_, noise), steps_};
    case Sampling::kFixedSize:
      return {FixedSizeGaussianEvent(sample_rate_, noise), steps_};
    case Sampling::kNone:
      return {GaussianEvent(noise), steps_};
    case Sampling::kShuffled: {
      if (neighbours.adjacency() == Adjacency::kAddRemove && sample_rate_ < 1) {
        throw NoValidAnalysis(
            "shuffled passes have no valid analysis under add-remove: without one record all "
            "later ones move to other batches; accepted: zero-out, replace-one");
      }
      return {GaussianEvent(noise), passes()};
    }
  }
  throw std::logic_error("unknown sampling");
}

std::int64_t TrainingRun::passes() const {
  if (options_.epochs) return *options_.epochs;
  // Given in steps: a loader that drops the incomplete batch makes shorter passes, so count those.
  const bool no_incomplete_batch = static_cast<double>(steps_per_epoch_) * sample_rate_ <= 1 + 1e-9;
  const std::int64_t shortest =
      no_incomplete_batch ? steps_per_epoch_ : std::max<std::int64_t>(steps_per_epoch_ - 1, 1);
  return steps_ / shortest + (steps_ % shortest != 0 ? 1 : 0);
}

std::string TrainingRun::describe_length() const {
  std::string text = counted(steps_, "step");
  if (!options_.epochs && options_.sampling == Sampling::kShuffled) {
    text += ", in which a record takes part at most " + counted(passes(), "time");
  }
  if (!options_.epochs) return text;
  text += " = " + counted(*options_.epochs, "epoch") + " × " + counted(steps_per_epoch_, "step");
  if (options_.dataset_size && options_.batch_size) {
    text += " (" + std::to_string(*options_.dataset_size) + " / " +
            std::to_string(*options_.batch_size) + ", rounded up)";
  }
  return text;
}

}  // namespace sotto::accounting
