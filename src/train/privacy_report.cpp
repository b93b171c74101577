#include "train/privacy_report.h"

#include <cmath>
#include <sstream>

#include "sotto/accounting/statement.h"

namespace sotto::train {
namespace {

using accounting::PrivacyCost;

constexpr const char* kSeeded =
    "THIS RUN IS NOT PRIVATE: sampling and noise came from a seed (--insecure-seed), and whoever "
    "knows or guesses it can subtract the noise.";
constexpr const char* kPlain =
    "THIS RUN IS NOT PRIVATE: it was trained without clipping and noise (--disable-dp).";

nlohmann::json statement_json(const accounting::Statement& statement) {
  return {{"promise", statement.promise},
          {"protects", statement.protects},
          {"sampling", statement.sampling_assumption},
          {"noise", statement.noise_assumption}};
}

std::string shown_during_training(const TrainingConfig& config) {
  if (!config.show_norms && !config.show_private) {
    return "Nothing that is computed from private records without noise was shown or written.";
  }
  std::string text;
  if (config.show_norms) {
    text +=
        "Gradient norms were shown (--show-norms): for each epoch the share of clipped samples, "
        "quantiles and a histogram of the samples' norms, and the batch sizes. ";
  }
  if (config.show_private) {
    text +=
        "Training losses, the number of discarded samples and exact results on held-out records, "
        "where there are any, were shown (--show-private). ";
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

std::string markdown(const PrivacyReport& report, const accounting::Statement& statement,
                     const std::vector<std::string>& warnings) {
  std::ostringstream text;
  text << "# Privacy of this model\n\n" << report.statement << "\n\n";
  if (!statement.protects.empty()) {
    text << statement.protects << "\n\n"
         << statement.sampling_assumption << " " << statement.noise_assumption << "\n\n"
         << report.json.at("arithmetic").get<std::string>() << "\n\n";
  }
  for (const auto& warning : warnings) text << "- " << warning << "\n";
  if (!warnings.empty()) text << "\n";
  if (report.json.contains("held_out")) {
    text << report.json.at("held_out").at("statement").get<std::string>() << "\n\n";
  }
  text << report.json.at("shown_during_training").get<std::string>() << "\n\n"
       << kSizeIsPublic << "\n\n"
       << plan_table(report.json.at("plan")) << "| steps charged | "
       << report.json.at("steps").dump() << " |\n| ledger hash | "
       << report.json.at("ledger_hash").get<std::string>() << " |\n";
  return text.str();
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

// Nothing is clipped but the loss' gradient: say what bounds a record instead.
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

// The release about held-out records is told of apart.
void describe_held_out(const HeldOutCharge& held_out, accounting::Statement& statement) {
  const std::string all = "nothing else about the data is released";
  const auto place = statement.noise_assumption.find(all);
  if (!held_out.terms || place == std::string::npos) return;
  statement.noise_assumption.replace(place, all.size(),
                                     "nothing else about the training records is released");
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

}  // namespace

const char* const kSizeIsPublic =
    "The number of training records (dataset_size) is public: it is stated exactly, and ε does not "
    "cover it.";

nlohmann::json number_or_infinity(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json("Infinity");
}

std::string plan_table(const nlohmann::json& plan) {
  std::ostringstream table;
  table << "| plan | value |\n|---|---|\n";
  for (const auto& item : plan.items()) {
    table << "| " << item.key() << " | "
          << (item.value().is_string() ? item.value().get<std::string>() : item.value().dump())
          << " |\n";
  }
  return table.str();
}

PrivacyReport private_report(const PrivacyEngine& engine, const PrivacyCost& spent,
                             const TrainingConfig& config, const HeldOutCharge& held_out) {
  const auto run = engine.plan().run_of(std::max<std::int64_t>(1, engine.steps()));
  auto statement = accounting::privacy_statement(run, engine.plan().neighbours(), spent);
  describe_adaptive_noise(engine.plan(), statement);
  describe_bounded_noise(engine.plan(), statement);
  describe_held_out(held_out, statement);
  if (config.show_norms || config.show_private) {
    statement.noise_assumption +=
        " What was shown during training does not count as released: it must stay inside.";
  }
  std::vector<std::string> warnings;
  if (engine.is_private()) {
    warnings = warnings_of(engine, spent, config);
  } else {
    statement = {kSeeded, "", "", ""};
  }
  PrivacyReport report;
  report.statement = statement.promise;
  if (!config.weights.empty() && engine.is_private()) {
    report.statement += " It does NOT cover the weights that training started from.";
  }
  report.json = {
      {"private", engine.is_private()},
      {"plan", engine.plan().to_json()},
      {"steps", engine.steps()},
      {"epsilon", number_or_infinity(spent.epsilon)},
      {"epsilon_lower",
       spent.epsilon_lower ? number_or_infinity(*spent.epsilon_lower) : nlohmann::json()},
      {"delta", spent.delta},
      {"accountant", accounting::name(spent.accountant)},
      {"start_weights", config.weights.string()},
      {"ledger_hash", engine.ledger_hash()},
      {"statement", statement_json(statement)},
      {"norms_shown", config.show_norms},
      {"private_shown", config.show_private},
      {"shown_during_training", shown_during_training(config)},
      {"public_knowledge", kSizeIsPublic},
      {"arithmetic", engine.used_libtorch_gradients() ? kLibTorchAssumption : kProvedArithmetic},
      {"not_covered_by_epsilon", not_covered_by_epsilon(config)},
      {"warnings", warnings}};
  if (is<SearchedClipping>(engine.plan().options().clipping)) {
    report.json["threshold_searches"] = engine.threshold_searches();
  }
  if (held_out.terms) report.json["held_out"] = held_out_json(*held_out.terms, held_out.folder);
  report.markdown = markdown(report, statement, warnings);
  return report;
}

PrivacyReport report_without_privacy() {
  PrivacyReport report;
  report.statement = kPlain;
  report.json = {{"private", false}, {"epsilon", "Infinity"}, {"statement", {{"promise", kPlain}}}};
  report.markdown = std::string("# Privacy of this model\n\n") + kPlain + "\n";
  return report;
}

}  // namespace sotto::train
