#include "gan/gan_report.h"

#include <algorithm>

#include "sotto/accounting/statement.h"
#include "sotto/engine/privacy_engine.h"

namespace sotto::gan {
namespace {

using accounting::rounded_down;

constexpr const char* kSubject = "generator";

std::string not_private_because(const GanConfig& config,
                                const std::optional<GanSpending>& spending) {
  if (!spending) return runs::kWithoutNoise;
  if (spending->seeded) return runs::kNoiseFromSeed;
  if (starts_from_private_data(config)) {
    return "its first weights were trained on the private data themselves "
           "by request, which no ε covers.";
  }
  return "";
}

std::string noise_text(const GanConfig& config, const Plan& plan) {
  const auto sigma = rounded_down(plan.gradient_noise_multiplier());
  if (config.method == Method::kMerf) {
    return "Each record adds one vector of random features, of norm at most 1, to the sum of its "
           "class; secret Gaussian noise of standard deviation " +
           sigma +
           " is added once to every entry of the sums. The generator is fitted to these and sees "
           "no "
           "record.";
  }
  std::string text = "The critic alone sees records. ";
  text += config.method == Method::kAdvanced
              ? "Its parameters are clipped in " + std::to_string(config.groups) +
                    " groups, each record's gradient to bounds taken from public data, and secret "
                    "Gaussian noise of " +
                    sigma + " times a group's bound is added once to its sum in each step"
              : "Each record's gradient is clipped to a norm C, and secret Gaussian noise of "
                "standard deviation " +
                    sigma + " × C is added once to each step's sum";
  return text +
         ", empty batches included. How many records each class has was released with noise " +
         rounded_down(plan.options().releases.at(0).noise_multiplier) +
         ", which is in ε. The generator learns from the critic alone.";
}

std::string shown(const GanConfig& config) {
  return config.method == Method::kMerf || !config.show_private
             ? "Nothing else about the records was shown or written."
             : "The critic's losses were shown by request. They describe records without "
               "noise: they are not covered by ε, and neither is any file with \"private\" in its "
               "name, which hold them.";
}

std::vector<std::string> warnings_of(const GanConfig& config, const accounting::TrainingRun& run,
                                     const accounting::PrivacyCost& cost) {
  auto warnings = accounting::privacy_warnings(run, cost, accounting::Batches::kDrawnAsStated);
  if (!config.public_data.dataset.empty()) {
    warnings.push_back("this does not cover the data called public (" + config.public_data.dataset +
                       "): they were used without noise");
  }
  return warnings;
}

}  // namespace

void reserve_held_out(const GanConfig& config, const GanData& data, GanSpending& spending) {
  if (!data.tensors.test_is_private()) return;
  const double spent = spending.seeded ? config.target_epsilon : spending.cost.epsilon;
  const auto epsilon = runs::held_out_epsilon(config.data.held_out_epsilon, spent);
  if (!epsilon) return;
  spending.held_out = {*epsilon, spending.spend.plan.neighbours().relation(), config.insecure_seed};
  spending.cost.epsilon = std::max(spending.cost.epsilon, *epsilon);
}

bool starts_from_private_data(const GanConfig& config) {
  return config.pretrain_epochs > 0 && config.public_data.dataset.empty();
}

runs::PrivacyReport report_on(const GanConfig& config, const std::optional<GanSpending>& spending) {
  if (const auto reason = not_private_because(config, spending); !reason.empty()) {
    auto report = runs::report_not_private(kSubject, reason);
    if (spending && spending->held_out) {
      report.json["held_out"] = runs::held_out_json(*spending->held_out, {});
    }
    return report;
  }
  const auto& plan = spending->spend.plan;
  const auto run = plan.run_of(std::max<std::int64_t>(1, spending->spend.steps));
  auto statement = accounting::privacy_statement(run, plan.neighbours(), spending->cost,
                                                 {"the generator and any number of its samples"});
  statement.noise_assumption = noise_text(config, plan);
  auto report = runs::report_on(
      {.subject = kSubject,
       .spend = spending->spend,
       .cost = spending->cost,
       .ledger_hash = spending->ledger_hash,
       .statement = statement,
       .warnings = warnings_of(config, run, spending->cost),
       .shown = shown(config),
       .arithmetic = config.method == Method::kMerf ? kProvedArithmetic : kLibTorchAssumption,
       .held_out = {spending->held_out, {}}});
  report.json["method"] = name(config.method);
  return report;
}

}  // namespace sotto::gan
