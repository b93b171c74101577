// The plan: sampling, clipping, noise, normaliser and neighbouring relation of a training run, in
// one immutable value. The engine executes it, the accountant reads it, the ledger records it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/accounting/neighbours.h"
#include "sotto/accounting/training_run.h"

namespace sotto {

enum class Clipping {
  kFlat,      // each sample's whole gradient is scaled down to norm C
  kPerLayer,  // each layer's to C / √layers
  kAutomatic,  // each sample's gradient is scaled to norm C·‖g‖ / (‖g‖ + γ) (arXiv:2206.07136)
  kAdaptive,  // flat, with C following a quantile of the norms (arXiv:1905.03871)
  // Clipless training only: C is searched for before every epoch by the sparse vector technique,
  // with Laplace noise, on a batch drawn for it.
  kSparseVector,
  kGrouped,  // parameters in k groups, group j's gradient scaled down to a norm c_j of its own,
             // given to the engine, which may change between steps (arXiv:1801.01594)
};

// "flat", "per-layer", "automatic", "adaptive", "laplace" (sparse vector) or "grouped".
std::string_view name(Clipping clipping);
// Throws InvalidArgument, naming the accepted spellings, for any other text; "grouped" needs more
// than a name and is one of them.
Clipping clipping_from_name(std::string_view text);

// How the noise of networks with proven bounds is shared out.
enum class NoiseStrategy {
  kGlobal,    // the same on every parameter, for the bound of the whole gradient
  kPerLayer,  // on each parameter for its own bound
};
// "global" or "per-layer".
std::string_view name(NoiseStrategy strategy);
NoiseStrategy noise_strategy_from_name(std::string_view text);

// Gradients are bounded by the network itself, not clipped one by one. max_grad_norm is then that
// of the gradient of the loss with respect to the scores; clipping is flat, adaptive or
// sparse-vector.
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

// The name of a search's charge in a ledger.
constexpr const char* kThresholdSearch = "threshold";
// One search for a threshold on a Poisson batch, under add-remove or zero-out.
accounting::BlackBoxEvent threshold_search_event(double epsilon, double sample_rate);

struct PlanOptions {
  std::int64_t dataset_size = 0;
  // Expected size of a batch; a public constant, and what the noised sum is divided by.
  std::int64_t batch_size = 0;
  // Length of the run: either.
  std::optional<std::int64_t> epochs = {};
  std::optional<std::int64_t> steps = {};

  accounting::Sampling sampling = accounting::Sampling::kPoisson;
  // What a neighbouring data set is; by default the one that suits the sampling.
  std::optional<accounting::Relation> relation = {};

  // Of everything a step releases, relative to one record's bound. With adaptive clipping the count
  // query takes its share of it, and the gradient gets a little more noise.
  double noise_multiplier = 0;
  double max_grad_norm =
      1;  // C, kLeastNorm to kLargestNorm; with adaptive clipping where it starts
  Clipping clipping = Clipping::kFlat;
  std::optional<BoundedNoise> bounded = {};  // clipless training only

  // Grouped clipping only: the number of groups k. Noise on group j's sum has standard deviation
  // σ√k·c_j: k sums, each with σ√k times its own bound, are one Gaussian of multiplier σ.
  std::int64_t clip_groups = 0;

  // Paid for from the start, whether they are made or not. No two have the same name.
  std::vector<OneTimeRelease> releases = {};

  // Adaptive clipping only: which share of the samples is to stay unclipped, how fast C follows,
  // and the noise on the count (standard deviation; by default batch_size / 20).
  double target_quantile = 0.5;
  double quantile_learning_rate = 0.2;
  std::optional<double> count_noise = {};

  // Sparse vector only (with target_quantile): ε of one search on its batch, before
  // amplification by sampling. Poisson sampling, add-remove or zero-out only.
  double threshold_epsilon = 1;
};

class Plan {
 public:
  // Throws InvalidArgument, naming the value and what is accepted, or NoValidAnalysis for a
  // combination of sampling and relation that has none.
  explicit Plan(const PlanOptions& options);

  const PlanOptions& options() const { return options_; }
  std::int64_t dataset_size() const { return options_.dataset_size; }
  std::int64_t batch_size() const { return options_.batch_size; }
  double sample_rate() const { return run_.sample_rate(); }
  std::int64_t steps() const { return run_.steps(); }
  std::int64_t steps_per_epoch() const { return run_.steps_per_epoch(); }
  accounting::Neighbours neighbours() const;

  // Noise on the sum of clipped gradients is N(0, (gradient_noise_multiplier()·C)²); with proven
  // bounds or in groups C is a parameter's share of them.
  double gradient_noise_multiplier() const;
  // Noise on the count of unclipped samples (each counted ±1/2); adaptive clipping only.
  double count_noise() const;

  // The run as accounting sees it: in full, or its first `steps` >= 1 steps.
  const accounting::TrainingRun& run() const { return run_; }
  accounting::TrainingRun run_of(std::int64_t steps) const;
  // What `steps` >= 0 steps release (see Spend); with the sparse vector technique also the searches
  // that belong to the steps, and `repeated_searches` >= 0 more.
  accounting::Composition composition(std::int64_t steps, std::int64_t repeated_searches = 0) const;

  // True if thresholds are found by the sparse vector technique.
  bool searches_thresholds() const;
  // Searches for a threshold that belong to this many steps: one before each epoch's first.
  std::int64_t threshold_searches(std::int64_t steps) const;

  // Everything that the cost of a step depends on, for the ledger; the length is not part of it.
  nlohmann::json to_json() const;
  // What to_json() wrote, as a plan of this length. Throws InvalidArgument, naming what is missing
  // or not accepted, and NoValidAnalysis as the constructor does.
  static Plan from_json(const nlohmann::json& json, std::int64_t steps);

 private:
  PlanOptions options_;
  accounting::TrainingRun run_;
};

}  // namespace sotto
