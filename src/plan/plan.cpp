#include "sotto/plan/plan.h"

#include <array>
#include <cmath>
#include <string>

#include "plan/noise_scales.h"
#include "sotto/core/error.h"
#include "sotto/plan/spend.h"

namespace sotto {
namespace {

using accounting::Sampling;

constexpr std::array kClippings = {Clipping::kFlat, Clipping::kPerLayer, Clipping::kAutomatic,
                                   Clipping::kAdaptive, Clipping::kSparseVector};

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

void check_quantile(const PlanOptions& options) {
  check_argument(options.target_quantile > 0 && options.target_quantile < 1,
                 "target quantile must be strictly between 0 and 1, got ", options.target_quantile);
}

void check_sparse_vector(const PlanOptions& options, accounting::Relation relation) {
  check_quantile(options);
  check_argument(options.bounded.has_value(),
                 "clipping laplace: only clipless training searches a threshold this way; accepted "
                 "are flat, per-layer, automatic and adaptive");
  check_argument(options.threshold_epsilon > 0 && options.threshold_epsilon <= 100,
                 "threshold epsilon must be above 0 and at most 100, got ",
                 options.threshold_epsilon);
  if (options.sampling != Sampling::kPoisson || relation == accounting::Relation::kReplaceOne) {
    throw NoValidAnalysis(
        "clipping laplace: a search on a sampled batch is priced for Poisson sampling under "
        "add-remove or zero-out only");
  }
}

void check_adaptive(const PlanOptions& options) {
  check_quantile(options);
  check_argument(
      options.quantile_learning_rate > 0 && std::isfinite(options.quantile_learning_rate),
      "quantile learning rate must be positive, got ", options.quantile_learning_rate);
  if (options.count_noise) {
    check_argument(*options.count_noise > 0 && std::isfinite(*options.count_noise),
                   "count noise must be positive, got ", *options.count_noise);
  }
}

void check_bounded(const PlanOptions& options) {
  check_argument(
      options.clipping == Clipping::kFlat || options.clipping == Clipping::kAdaptive ||
          options.clipping == Clipping::kSparseVector,
      "clipping ", name(options.clipping),
      ": clipless training clips only the gradient of the loss, and takes flat, adaptive or "
      "laplace");
  check_coefficients(options.bounded->coefficients);
}

void check_groups(const PlanOptions& options) {
  const bool grouped = options.clipping == Clipping::kGrouped;
  check_argument(grouped == (options.clip_groups > 0), "clip groups ", options.clip_groups,
                 ": grouped clipping needs at least 1, any other has none");
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

}  // namespace

// A mechanism that is (ε, 0)-private on a batch holding each record with probability q is
// (ln(1 + q(e^ε - 1)), 0)-private under add-remove (arXiv:1807.01647, Theorem 8), and under
// zero-out, where a drawn blank changes the batch's counts no more than nobody does. Rounded up.
accounting::BlackBoxEvent threshold_search_event(double epsilon, double sample_rate) {
  return {std::log1p(sample_rate * std::expm1(epsilon)) * (1 + 1e-12), 0};
}

std::string_view name(NoiseStrategy strategy) {
  return strategy == NoiseStrategy::kGlobal ? "global" : "per-layer";
}

NoiseStrategy noise_strategy_from_name(std::string_view text) {
  for (const auto strategy : {NoiseStrategy::kGlobal, NoiseStrategy::kPerLayer}) {
    if (name(strategy) == text) return strategy;
  }
  throw InvalidArgument("noise strategy '" + std::string(text) +
                        "': accepted are global and per-layer");
}

std::string_view name(Clipping clipping) {
  switch (clipping) {
    case Clipping::kFlat:
      return "flat";
    case Clipping::kPerLayer:
      return "per-layer";
    case Clipping::kAutomatic:
      return "automatic";
    case Clipping::kAdaptive:
      return "adaptive";
    case Clipping::kSparseVector:
      return "laplace";
    case Clipping::kGrouped:
      return "grouped";
  }
  return "";
}

Clipping clipping_from_name(std::string_view text) {
  for (const auto clipping : kClippings) {
    if (name(clipping) == text) return clipping;
  }
  throw InvalidArgument("clipping '" + std::string(text) +
                        "': accepted are flat, per-layer, automatic, adaptive and laplace");
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
  if (options.bounded) check_bounded(options);
  check_groups(options);
  check_releases(options.releases);
  if (options.clipping == Clipping::kSparseVector) {
    check_sparse_vector(options, neighbours().relation());
  }
  if (options.clipping == Clipping::kAdaptive) {
    check_adaptive(options);
    check_argument(gradient_noise_multiplier() > 0, "adaptive clipping: count noise ",
                   count_noise(), " must exceed half the noise multiplier ",
                   options.noise_multiplier,
                   " (by default it is batch size / 20: take larger batches, or flat clipping)");
  }
  static_cast<void>(composition(1));  // throws if the combination has no valid analysis
}

accounting::Neighbours Plan::neighbours() const {
  return accounting::Neighbours(
      options_.relation.value_or(accounting::default_relation(options_.sampling)));
}

double Plan::count_noise() const {
  return options_.count_noise.value_or(static_cast<double>(options_.batch_size) / 20);
}

// arXiv:1905.03871, Theorem 1: the gradient (noise z_g relative to its bound) and the count of
// values ±1/2 (noise σ_b relative to 1/2) together are one Gaussian of multiplier
// (z_g^-2 + (2 σ_b)^-2)^-1/2.
double Plan::gradient_noise_multiplier() const {
  if (options_.clipping == Clipping::kGrouped) {
    return options_.noise_multiplier * std::sqrt(static_cast<double>(options_.clip_groups));
  }
  if (options_.clipping != Clipping::kAdaptive) return options_.noise_multiplier;
  const double left = std::pow(options_.noise_multiplier, -2) - std::pow(2 * count_noise(), -2);
  return left > 0 ? std::pow(left, -0.5) : 0;
}

accounting::TrainingRun Plan::run_of(std::int64_t steps) const {
  PlanOptions options = options_;
  if (options.sampling == Sampling::kShuffled) {
    // A record takes part once a pass: a pass that was begun counts in full.
    options.epochs = (steps + steps_per_epoch() - 1) / steps_per_epoch();
    options.steps.reset();
  } else {
    options.steps = steps;
    options.epochs.reset();
  }
  return make_run(options);
}

bool Plan::searches_thresholds() const { return options_.clipping == Clipping::kSparseVector; }

std::int64_t Plan::threshold_searches(std::int64_t steps) const {
  if (!searches_thresholds()) return 0;
  return (steps + steps_per_epoch() - 1) / steps_per_epoch();
}

accounting::Composition Plan::composition(std::int64_t steps,
                                          std::int64_t repeated_searches) const {
  return Spend{*this, steps, threshold_searches(steps) + repeated_searches}.composition();
}

nlohmann::json Plan::to_json() const {
  nlohmann::json json = {
      {"dataset_size", options_.dataset_size},
      {"batch_size", options_.batch_size},
      {"sampling", accounting::name(options_.sampling)},
      {"relation", accounting::name(neighbours().relation())},
      {"noise_multiplier", options_.noise_multiplier},
      {"max_grad_norm", options_.max_grad_norm},
      {"clipping", name(options_.clipping)},
  };
  if (options_.clipping == Clipping::kAdaptive) {
    json["target_quantile"] = options_.target_quantile;
    json["quantile_learning_rate"] = options_.quantile_learning_rate;
    json["count_noise"] = count_noise();
  }
  if (options_.clipping == Clipping::kSparseVector) {
    json["target_quantile"] = options_.target_quantile;
    json["threshold_epsilon"] = options_.threshold_epsilon;
    json["threshold_interval"] = steps_per_epoch();
  }
  if (options_.bounded) {
    json["gradient_bounds"] = options_.bounded->bounds;
    json["noise_strategy"] = name(options_.bounded->strategy);
    json["noise_coefficients"] = options_.bounded->coefficients;
  }
  if (options_.clipping == Clipping::kGrouped) json["clip_groups"] = options_.clip_groups;
  for (const auto& release : options_.releases) {
    json["releases"].push_back(
        {{"name", release.name}, {"noise_multiplier", release.noise_multiplier}});
  }
  return json;
}

}  // namespace sotto
