#include "sotto/plan/plan.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "plan/clipping.h"
#include "plan/noise_scales.h"
#include "sotto/core/error.h"

namespace sotto {
namespace {

using accounting::Sampling;

accounting::TrainingRun make_run(const PlanOptions& options) {
  accounting::TrainingRunOptions run;
  run.sampling = options.sampling;
  run.dataset_size = options.dataset_size;
  run.batch_size = options.batch_size;
  run.noise_multiplier = options.noise_multiplier;
  run.epochs = options.epochs;
  run.steps = options.steps;
  return accounting::TrainingRun(run);
}

// ln P[Binomial(n, q) >= k] at most, for k > nq (Hoeffding 1963, Theorem 1).
double log_tail(std::int64_t n, double q, std::int64_t k) {
  const double share = static_cast<double>(k) / static_cast<double>(n);
  const double rest = share < 1 ? (1 - share) * std::log((1 - share) / (1 - q)) : 0;
  return -static_cast<double>(n) * (share * std::log(share / q) + rest);
}

constexpr std::int64_t kVector = 16;

// ln P[Binomial(n, q) >= k] at most, for any n with nq = expected < k: ln E exp(tX) is at most
// nq(e^t - 1), that of a Poisson variable (Chernoff's bound).
double log_tail(double expected, std::int64_t k) {
  const auto places = static_cast<double>(k);
  return places - expected - places * std::log(places / expected);
}

// As below, for data sets of any size: under add-remove neighbours differ in it.
std::int64_t places_for_any_size(double expected) {
  const double enough = std::log(kOverflow) - 1e-6;
  std::int64_t places = (static_cast<std::int64_t>(expected) + kVector) / kVector * kVector;
  while (log_tail(expected, places) > enough) places += kVector;
  return places;
}

// The least multiple of 16, a vector's length, that leaves no more than kOverflow; with room to
// spare for the logarithms' rounding.
std::int64_t places_for(std::int64_t dataset_size, double sample_rate) {
  const double enough = std::log(kOverflow) - 1e-6;
  const auto expected =
      static_cast<std::int64_t>(std::ceil(static_cast<double>(dataset_size) * sample_rate));
  std::int64_t places = (expected + kVector) / kVector * kVector;
  while (places < dataset_size && log_tail(dataset_size, sample_rate, places) > enough) {
    places += kVector;
  }
  return std::min(places, dataset_size);
}

void check_releases(const std::vector<OneTimeRelease>& releases) {
  for (std::size_t i = 0; i < releases.size(); ++i) {
    check_argument(releases[i].noise_multiplier > 0 && std::isfinite(releases[i].noise_multiplier),
                   "release '", releases[i].name, "': noise multiplier must be positive, got ",
                   releases[i].noise_multiplier);
    for (std::size_t j = 0; j < i; ++j) {
      check_argument(releases[i].name != releases[j].name, "release '", releases[i].name,
                     "' is planned twice");
    }
  }
}

// What is proved for one record alone: the places of filled batches, searches, and that a record is
// either trained on or held out. A person's records may be on both sides.
void check_group(const Plan& plan) {
  const auto& options = plan.options();
  const std::int64_t group = options.group_size;
  if (group == 1) return;
  const auto places = plan.places();
  if (places && *places < plan.dataset_size()) {
    throw NoValidAnalysis("groups of " + std::to_string(group) +
                          " records in Poisson batches whose gradients LibTorch computes have no "
                          "analysis here; accepted: networks with fused gradients, or other "
                          "sampling");
  }
  if (plan.searches_thresholds()) {
    throw NoValidAnalysis("groups of " + std::to_string(group) +
                          " records: searches for thresholds are priced for one record only");
  }
  if (options.held_out_epsilon > 0) {
    throw NoValidAnalysis("groups of " + std::to_string(group) +
                          " records: a person's records may be trained on and held out at once, "
                          "which has no analysis here; accepted: public test records, or nothing "
                          "held out");
  }
  static_cast<void>(
      Spend{plan, 1}.cost_at_delta(1e-5));  // throws where only one record has a price
}

}  // namespace

// A mechanism that is (ε, 0)-private on a batch holding each record with probability q is
// (ln(1 + q(e^ε - 1)), 0)-private under add-remove (arXiv:1807.01647, Theorem 8), and under
// zero-out, where a drawn blank changes the batch's counts no more than nobody does. Rounded up.
accounting::BlackBoxEvent threshold_search_event(double epsilon, double sample_rate) {
  return {std::log1p(sample_rate * std::expm1(epsilon)) * (1 + 1e-12), 0};
}

std::string_view to_string(NoiseStrategy strategy) {
  return strategy == NoiseStrategy::kGlobal ? "global" : "per-layer";
}

NoiseStrategy noise_strategy_from_name(std::string_view text) {
  for (const auto strategy : {NoiseStrategy::kGlobal, NoiseStrategy::kPerLayer}) {
    if (to_string(strategy) == text) return strategy;
  }
  throw InvalidArgument("noise strategy '" + std::string(text) +
                        "': accepted are global and per-layer");
}

Plan::Plan(const PlanOptions& options) : options_(options), run_(make_run(options)) {
  check_argument(options.noise_multiplier > 0 && std::isfinite(options.noise_multiplier),
                 "noise multiplier must be positive, got ", options.noise_multiplier,
                 " (without noise there is no privacy)");
  // Gradients are floats: the squares of much smaller or larger ones are not.
  check_argument(options.max_grad_norm >= kLeastNorm && options.max_grad_norm <= kLargestNorm,
                 "maximal gradient norm must be from 1e-12 to 1e12, got ", options.max_grad_norm);
  check_argument(options.sampling != Sampling::kNone || options.batch_size == options.dataset_size,
                 "without sampling every record is in every batch: batch size ", options.batch_size,
                 " must be the data-set size ", options.dataset_size);
  check_argument(options.group_size >= 1 && options.group_size <= kLargestGroup,
                 "group size must be from 1 to ", kLargestGroup, ", got ", options.group_size);
  if (options.bounded) check_coefficients(options.bounded->coefficients);
  check_clipping(options, neighbours().adjacency());
  check_releases(options.releases);
  check_argument(options.held_out_epsilon >= 0 && std::isfinite(options.held_out_epsilon),
                 "ε for held-out records must be 0 or above, got ", options.held_out_epsilon);
  check_group(*this);
  static_cast<void>(composition(1));  // throws if the combination has no valid analysis
}

accounting::Neighbours Plan::neighbours() const {
  return accounting::Neighbours(
      options_.adjacency.value_or(accounting::default_adjacency(options_.sampling)),
      static_cast<int>(options_.group_size));
}

std::optional<std::int64_t> Plan::places() const {
  if (!options_.fill_batches || options_.sampling != Sampling::kPoisson) return std::nullopt;
  if (neighbours().adjacency() == accounting::Adjacency::kAddRemove) {
    return places_for_any_size(static_cast<double>(batch_size()));
  }
  return places_for(dataset_size(), sample_rate());
}

double Plan::count_noise() const {
  return count_noise_of(std::get<AdaptiveClipping>(options_.clipping), options_.batch_size);
}

double Plan::gradient_noise_multiplier() const {
  return gradient_noise(options_.clipping, options_.noise_multiplier, options_.batch_size);
}

std::optional<accounting::BlackBoxEvent> Plan::threshold_search() const {
  const auto* searched = std::get_if<SearchedClipping>(&options_.clipping);
  if (searched == nullptr) return std::nullopt;
  return threshold_search_event(searched->epsilon, sample_rate());
}

accounting::TrainingRun Plan::run_of(std::int64_t steps) const {
  PlanOptions options = options_;
  if (options.sampling == Sampling::kShuffled) {
    // A record takes part once per pass: a pass that was begun counts in full.
    options.epochs = (steps + steps_per_epoch() - 1) / steps_per_epoch();
    options.steps.reset();
  } else {
    options.steps = steps;
    options.epochs.reset();
  }
  return make_run(options);
}

bool Plan::searches_thresholds() const { return is<SearchedClipping>(options_.clipping); }

std::int64_t Plan::threshold_searches(std::int64_t steps) const {
  if (!searches_thresholds()) return 0;
  return (steps + steps_per_epoch() - 1) / steps_per_epoch();
}

accounting::Composition Plan::composition(std::int64_t steps,
                                          std::int64_t repeated_searches) const {
  return Spend{*this, steps, threshold_searches(steps) + repeated_searches}.composition();
}

}  // namespace sotto
