#include "train/training_statement.h"

#include <algorithm>
#include <cmath>

#include "plan/norm_json.h"
#include "train/frozen_features.h"

namespace sotto::train {
namespace {

using accounting::PrivacyCost;

constexpr const char* kSubject = "model";

std::string shown_during_training(const TrainingConfig& config) {
  if (!config.show_norms && !config.show_private) {
    return "Nothing that is computed from private records without noise was shown or written.";
  }
  std::string text;
  if (config.show_norms) {
    text +=
        "Gradient norms were shown by request: for each epoch the share of clipped samples, "
        "quantiles and a histogram of the samples' norms, and the batch sizes. ";
  }
  if (config.show_private) {
    text +=
        "Training losses, the number of discarded samples and exact results on held-out records, "
        "where there are any, were shown by request. ";
  }
  return text +
         "These describe private records without noise: they are not covered by ε, and neither is "
         "any file with \"private\" in its name, which hold them.";
}

std::vector<std::string> not_covered_by_epsilon(const TrainingConfig& config) {
  std::vector<std::string> names;
  if (config.show_private) {
    names = {"train_loss", "discarded_samples", "held_out_loss", "held_out_accuracy"};
  }
  if (config.show_norms) names.insert(names.end(), kNormKeys.begin(), kNormKeys.end());
  return names;
}

// The accountant's sentence is about one noise on one sum.
void describe_adaptive_noise(const Plan& plan, accounting::Statement& statement) {
  if (!is<AdaptiveClipping>(plan.options().clipping)) return;
  statement.noise_assumption =
      "Each record's gradient is clipped to a norm C that follows a quantile of the norms; secret "
      "Gaussian noise of standard deviation " +
      accounting::rounded_down(plan.gradient_noise_multiplier()) +
      " × C is added once to each step's sum, and of " +
      accounting::rounded_down(plan.count_noise()) +
      " to the count of unclipped records, empty batches included; both are in ε, and nothing else "
      "about the training records is released.";
}

// Nothing is clipped but the gradient of the loss: say what bounds a record instead.
void describe_bounded_noise(const Plan& plan, accounting::Statement& statement) {
  const auto& bounded = plan.options().bounded;
  if (!bounded) return;
  double square = 0;
  for (const double bound : bounded->bounds) square += bound * bound;
  const bool adaptive = is<AdaptiveClipping>(plan.options().clipping);
  std::string text =
      "No record's gradient is clipped: the network bounds it. Every layer is "
      "1-Lipschitz after each step, inputs are scaled down to a fixed norm, and the "
      "gradient of the loss with respect to the scores has norm at most C";
  text += is<SearchedClipping>(plan.options().clipping)
              ? ", which is found before every epoch by the sparse vector technique with Laplace "
                "noise, on a batch of its own; this is in ε. With the largest C"
          : adaptive ? ", which follows a noised quantile that is in ε. At the start"
                     : ". So";
  text +=
      " a record adds at most " + accounting::rounded_up(std::sqrt(square)) +
      " to a step's sum of gradients; secret Gaussian noise of " +
      accounting::rounded_down(plan.gradient_noise_multiplier()) + " times that" +
      (bounded->strategy == NoiseStrategy::kPerLayer ? ", shared out by each parameter's own bound,"
                                                     : "") +
      " is added once, empty batches included, and nothing else about the training records is "
      "released.";
  statement.noise_assumption = text;
}

std::vector<std::string> warnings_of(const PrivacyEngine& engine, const PrivacyCost& spent,
                                     const TrainingConfig& config) {
  const auto run = engine.plan().run_of(std::max<std::int64_t>(1, engine.steps()));
  auto warnings = accounting::privacy_warnings(run, spent, accounting::Batches::kDrawnAsStated);
  if (!config.weights.empty()) {
    warnings.push_back("this does not cover what the weights that training started from (" +
                       config.weights.filename().string() +
                       ") reveal: they must be public, or their own ε must be added");
  }
  return warnings;
}

// Features are computed once, before anything is drawn; gradients behind them may be fused.
constexpr const char* kFeaturesAssumption =
    "Rounding is in the proof: sums are exact and noise is exactly distributed. One thing is "
    "assumed: the features that LibTorch computed of a record, before training, do not depend on "
    "the values of the other records.";

const char* arithmetic_of(const PrivacyEngine& engine, const TrainingConfig& config) {
  if (engine.used_libtorch_gradients()) return kLibTorchAssumption;
  return libtorch_computes_features(config) ? kFeaturesAssumption : kProvedArithmetic;
}

accounting::Statement statement_of(const PrivacyEngine& engine, const PrivacyCost& cost,
                                   const TrainingConfig& config, bool with_held_out) {
  if (!engine.is_private()) return {runs::not_private(kSubject, runs::kNoiseFromSeed), "", "", ""};
  accounting::StatementSubject subject;
  if (with_held_out) subject.records = "the training records";  // the others are told of apart
  const auto& plan = engine.plan();
  const auto run = plan.run_of(std::max<std::int64_t>(1, engine.steps()));
  auto statement = accounting::privacy_statement(run, plan.neighbours(), cost, subject);
  describe_adaptive_noise(plan, statement);
  describe_bounded_noise(plan, statement);
  if (config.show_norms || config.show_private) {
    statement.noise_assumption +=
        " What was shown during training does not count as released: it must stay inside.";
  }
  return statement;
}

std::string limits_of(const TrainingConfig& config) {
  std::vector<std::string> limits;
  if (!config.weights.empty()) {
    limits.emplace_back("It does NOT cover the weights that training started from.");
  }
  const auto person = runs::person_limit(declared_person(config));
  if (!person.empty()) limits.push_back(person);
  if (config.one_of_several) {
    limits.emplace_back(
        "This run was one of several on the same records: choosing it by its results costs more, "
        "and what that costs is for the sweep, or whoever chose, to say.");
  }
  std::string text;
  for (const auto& limit : limits) text += (text.empty() ? "" : " ") + limit;
  return text;
}

}  // namespace

runs::DeclaredPerson declared_person(const TrainingConfig& config) {
  return {.column = runs::person_column(config.schema_text),
          .group_size = config.group_size,
          .holds_out = config.csv_test.empty() && config.held_out_epsilon != 0.0};
}

runs::PrivacyReport training_statement(const PrivacyEngine& engine, const PrivacyCost& cost,
                                       const TrainingConfig& config,
                                       const runs::HeldOutCharge& held_out,
                                       const std::optional<runs::StoppedEarly>& stopped) {
  runs::AccountedRun run{
      .subject = kSubject,
      .spend = engine.spend(),
      .cost = cost,
      .ledger_hash = engine.ledger_hash(),
      .statement = statement_of(engine, cost, config, held_out.terms.has_value()),
      .is_private = engine.is_private(),
      .warnings = {},
      .shown = shown_during_training(config),
      .arithmetic = arithmetic_of(engine, config),
      .held_out = held_out};
  if (engine.is_private()) {
    run.warnings = warnings_of(engine, cost, config);
    run.limits = limits_of(config);
    if (stopped) runs::add_limit(*stopped, run);
  }
  auto report = runs::report_on(run);
  if (stopped) report.json["stopped_early"] = json_of(*stopped);
  report.json["start_weights"] = config.weights.string();
  report.json["norms_shown"] = config.show_norms;
  report.json["private_shown"] = config.show_private;
  report.json["not_covered_by_epsilon"] = not_covered_by_epsilon(config);
  return report;
}

runs::PrivacyReport statement_without_privacy() {
  return runs::report_not_private(kSubject, runs::kWithoutNoise);
}

}  // namespace sotto::train
