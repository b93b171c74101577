// A private training run as accounting sees it: how batches are drawn, how much noise, how long.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sotto/accounting/event.h"
#include "sotto/accounting/guarantee.h"

namespace sotto::accounting {

// How batches are drawn.
enum class Sampling {
  kPoisson,    // each record is in a batch independently, with probability sample_rate
  kFixedSize,  // each batch is a fresh draw, uniformly without replacement, always of one size
  kShuffled,   // passes over the data in some order; each record once per pass; no amplification
  kNone,       // every record takes part in every step
};

// "poisson", "fixed-size", "shuffled" or "none".
std::string_view to_string(Sampling sampling);
// Throws InvalidArgument, naming the accepted spellings, for any other text.
Sampling sampling_from_name(std::string_view text);
// All of them: "poisson, fixed-size, shuffled, none".
std::string sampling_names();

// The adjacency to use if the user names none: zero-out where there is an analysis for it. Its ε is
// that of add-remove; the number of records is public in both, and only under zero-out the size of
// a drawn batch is the same for neighbours, on which a kernel's rounding may depend.
Adjacency default_adjacency(Sampling sampling);

// ceil(dataset_size / batch_size), in integers.
std::int64_t steps_per_epoch(std::int64_t dataset_size, std::int64_t batch_size);
// The smallest n with n·sample_rate >= 1, forgiving the rounding of sample_rate.
std::int64_t steps_per_epoch(double sample_rate);

struct TrainingRunOptions {
  Sampling sampling = Sampling::kPoisson;
  // The rate. Set both sizes, or sample_rate; with Sampling::kNone neither is needed.
  std::optional<std::int64_t> dataset_size;
  std::optional<std::int64_t> batch_size;
  std::optional<double> sample_rate;
  double noise_multiplier = 0;
  // The length. Set exactly one.
  std::optional<std::int64_t> epochs;
  std::optional<std::int64_t> steps;
};

class TrainingRun {
 public:
  // Throws InvalidArgument unless exactly one description of the rate and of the length is given,
  // and all are in range: 0 < batch_size <= dataset_size, 0 < sample_rate <= 1, epochs and steps
  // >= 1, noise_multiplier >= 0.
  explicit TrainingRun(const TrainingRunOptions& options);

  Sampling sampling() const { return options_.sampling; }
  double sample_rate() const { return sample_rate_; }
  double noise_multiplier() const { return options_.noise_multiplier; }
  std::int64_t steps() const { return steps_; }
  std::int64_t steps_per_epoch() const { return steps_per_epoch_; }
  std::optional<std::int64_t> epochs() const { return options_.epochs; }
  std::optional<std::int64_t> dataset_size() const { return options_.dataset_size; }
  std::optional<std::int64_t> batch_size() const { return options_.batch_size; }

  // How often a record may take part in shuffled passes: once per epoch, or as often as `steps`
  // steps allow if the loader drops incomplete batches.
  std::int64_t passes() const;

  // The same run with other noise, or of other length in epochs.
  TrainingRun with_noise_multiplier(double noise_multiplier) const;
  TrainingRun with_epochs(std::int64_t epochs) const;

  // What the run releases. Throws NoValidAnalysis for shuffled passes under add/remove: without a
  // record, all later ones shift between batches.
  Composition composition(const Neighbours& neighbours) const;

  // E.g. "14070 steps = 15 epochs x 938 steps (60000 / 64, rounded up)".
  std::string describe_length() const;

 private:
  TrainingRunOptions options_;
  double sample_rate_ = 1;
  std::int64_t steps_per_epoch_ = 1;
  std::int64_t steps_ = 1;
};

}  // namespace sotto::accounting
