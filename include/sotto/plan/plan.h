// The plan: sampling, clipping, noise, normaliser and adjacency of a training run, in
// one immutable value. The engine executes it, the accountant reads it, the ledger records it. And
// what training by a plan has released so far: Spend is the one place that says so. clipping.h and
// norm_statistics.h come with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/accounting/event.h"
#include "sotto/accounting/guarantee.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/accounting/training_run.h"
#include "sotto/plan/clipping.h"
#include "sotto/plan/norm_statistics.h"

namespace sotto {

// How the noise of networks with proven bounds is shared out.
enum class NoiseStrategy {
  kGlobal,    // the same on every parameter, for the bound of the whole gradient
  kPerLayer,  // on each parameter for its own bound
};
// "global" or "per-layer".
std::string_view to_string(NoiseStrategy strategy);
NoiseStrategy noise_strategy_from_name(std::string_view text);

// Gradients are bounded by the network itself, not clipped one by one. max_grad_norm is then that
// of the gradient of the loss with respect to the scores; clipping is flat, adaptive or searched.
struct BoundedNoise {
  NoiseStrategy strategy = NoiseStrategy::kGlobal;
  // Per layer: relative noise multipliers, one per parameter; all 1 if empty.
  std::vector<double> coefficients = {};
  // What is proved for one sample's gradient at max_grad_norm, one per parameter: for the ledger.
  std::vector<double> bounds = {};
};

// A sum over all records, noised and published once, in addition to the steps: what every record
// adds has norm at most 1, the noise has standard deviation noise_multiplier.
struct OneTimeRelease {
  std::string name;
  double noise_multiplier = 0;
};

constexpr double kLeastNorm = 1e-12;
constexpr double kLargestNorm = 1e12;
constexpr std::int64_t kLargestGroup = 1000;

// The probability, at most, that a filled batch has too few places. It is in δ, step by step.
constexpr double kOverflow = 0x1p-60;

// The name of a search's charge in a ledger.
constexpr const char* kThresholdSearch = "threshold";
// One search for a threshold on a Poisson batch, under add-remove or zero-out.
accounting::BlackBoxEvent threshold_search_event(double epsilon, double sample_rate);

struct PlanOptions {
  std::int64_t dataset_size = 0;
  // Expected size of a batch; a public constant, and what the noised sum is divided by.
  std::int64_t batch_size = 0;
  // Length of the run: set exactly one.
  std::optional<std::int64_t> epochs = {};
  std::optional<std::int64_t> steps = {};

  accounting::Sampling sampling = accounting::Sampling::kPoisson;
  // What a neighbouring data set is; by default the one that suits the sampling.
  std::optional<accounting::Adjacency> adjacency = {};
  // Records that one person has, at most: neighbours differ in all of a person's records, and ε is
  // that of the whole group. A declaration: nothing checks it. Up to kLargestGroup.
  std::int64_t group_size = 1;
  // Poisson batches have a fixed number of places, see Plan::places(). Gradients by LibTorch's
  // kernels need it (docs/finite-precision.md); those by fused kernels alone are faster without.
  bool fill_batches = true;

  // Of everything a step releases, relative to one record's bound.
  double noise_multiplier = 0;
  double max_grad_norm =
      1;  // C, kLeastNorm to kLargestNorm; with adaptive clipping where it starts
  Clipping clipping = FlatClipping{};
  std::optional<BoundedNoise> bounded = {};  // clipless training only

  // Paid for from the start, whether they are made or not. No two have the same name.
  std::vector<OneTimeRelease> releases = {};

  // Set aside for what the same run may release, once, about records that it holds out of training:
  // an ε with δ = 0; 0 if it holds out nothing. Whoever adds to the budget later counts it, made or
  // not (docs/privacy.md). A record is on one side of a run, so it is not part of a step's cost.
  double held_out_epsilon = 0;
};

class Plan {
 public:
  // Throws InvalidArgument, naming the value and what is accepted, or NoValidAnalysis for a
  // combination of sampling and adjacency that has none.
  explicit Plan(const PlanOptions& options);

  const PlanOptions& options() const { return options_; }
  std::int64_t dataset_size() const { return options_.dataset_size; }
  std::int64_t batch_size() const { return options_.batch_size; }
  double sample_rate() const { return run_.sample_rate(); }
  std::int64_t steps() const { return run_.steps(); }
  std::int64_t steps_per_epoch() const { return run_.steps_per_epoch(); }
  accounting::Neighbours neighbours() const;
  // Places that every Poisson batch has, if batches are filled: drawn records get random ones and
  // the others are padding, so that neither the size nor any record's place depends on whether
  // another record is drawn. Enough for all but one batch in 1/kOverflow.
  std::optional<std::int64_t> places() const;

  // Noise on the sum of clipped gradients is N(0, (gradient_noise_multiplier()·C)²); with proven
  // bounds or in groups C is a parameter's share of them.
  double gradient_noise_multiplier() const;
  // Noise on the count of unclipped samples (each counted ±1/2). Throws std::bad_variant_access
  // unless clipping is adaptive.
  double count_noise() const;
  // What one search for a threshold releases; nothing unless clipping is searched.
  std::optional<accounting::BlackBoxEvent> threshold_search() const;

  // The run as accounting sees it: in full, or its first `steps` >= 1 steps.
  const accounting::TrainingRun& run() const { return run_; }
  accounting::TrainingRun run_of(std::int64_t steps) const;
  // What `steps` >= 0 steps release (see Spend); with SearchedClipping also the searches
  // that belong to the steps, and `repeated_searches` >= 0 more.
  accounting::Composition composition(std::int64_t steps, std::int64_t repeated_searches = 0) const;

  // True with SearchedClipping.
  bool searches_thresholds() const;
  // Searches for a threshold that belong to this many steps: one before each epoch's first.
  std::int64_t threshold_searches(std::int64_t steps) const;

 private:
  PlanOptions options_;
  accounting::TrainingRun run_;
};

// What training by a plan has released so far.
struct Spend {
  Plan plan;
  std::int64_t steps = 0;  // charged
  // For thresholds, charged, repeated ones too. Those that go with the steps are counted even if
  // this is less.
  std::int64_t searches = 0;

  // Searches beyond those that go with the steps: after an interruption.
  std::int64_t repeated_searches() const;

  // Batches that may have had too few places, each with probability kOverflow at most.
  std::int64_t filled_batches() const;

  // Steps, searches and the plan's one-time releases, to be priced under the plan's own adjacency
  // or another; a shuffled pass that was begun counts in full. Throws NoValidAnalysis if sampling
  // or searches and the neighbours do not go together.
  accounting::Composition composition() const { return composition(plan.neighbours()); }
  accounting::Composition composition(const accounting::Neighbours& neighbours) const;

  // Under the plan's adjacency, if the noise was secret.
  accounting::PrivacyCost cost_at_delta(double delta,
                                        const accounting::AccountingOptions& options = {}) const;
};

}  // namespace sotto
