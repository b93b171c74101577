#include "gan/gan_report.h"

#include <algorithm>
#include <sstream>

#include "sotto/accounting/statement.h"
#include "train/privacy_report.h"

namespace sotto::gan {
namespace {

using accounting::rounded_down;

std::string not_private_because(const GanConfig& config, const Spending& spending) {
  if (config.disable_dp) return "it was trained without clipping and noise (--disable-dp).";
  if (spending.seeded) {
    return "sampling and noise came from a seed (--insecure-seed), and whoever knows or guesses it "
           "can subtract the noise.";
  }
  if (starts_from_private_data(config)) {
    return "its first weights were trained on the private data themselves "
           "(--i-know-pretraining-is-not-private), which no ε covers.";
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
             : "The critic's losses were shown (--show-private). They describe records without "
               "noise: they are not covered by ε, and neither is any file with \"private\" in its "
               "name, which hold them.";
}

// The accountant's sentence is about a trained model.
std::string about_generator(std::string promise) {
  const std::string model = "the trained model";
  const auto place = promise.find(model);
  if (place != std::string::npos) {
    promise.replace(place, model.size(), "the generator and any number of its samples");
  }
  return promise;
}

GanReport not_private(const std::string& reason, const Spending& spending) {
  GanReport report;
  report.statement = "THIS GENERATOR IS NOT PRIVATE: " + reason;
  report.json = {
      {"private", false}, {"epsilon", "Infinity"}, {"statement", {{"promise", report.statement}}}};
  if (spending.held_out) report.json["held_out"] = train::held_out_json(*spending.held_out, {});
  report.markdown = "# Privacy of this generator\n\n" + report.statement + "\n";
  return report;
}

}  // namespace

void reserve_held_out(const GanConfig& config, const GanData& data, Spending& spending) {
  if (spending.plan == nullptr || !data.tensors.test_is_private()) return;
  const double spent = spending.seeded ? config.target_epsilon : spending.spent.epsilon;
  const auto epsilon = train::held_out_epsilon(config.data.held_out_epsilon, spent);
  if (!epsilon) return;
  spending.held_out = {*epsilon, spending.plan->neighbours().relation(), config.insecure_seed};
  spending.spent.epsilon = std::max(spending.spent.epsilon, *epsilon);
}

bool starts_from_private_data(const GanConfig& config) {
  return config.pretrain_epochs > 0 && config.public_data.dataset.empty();
}

GanReport report_on(const GanConfig& config, const Spending& spending) {
  const auto reason = not_private_because(config, spending);
  if (!reason.empty()) return not_private(reason, spending);
  const auto& plan = *spending.plan;
  const auto run = plan.run_of(std::max<std::int64_t>(1, spending.steps));
  auto statement = accounting::privacy_statement(run, plan.neighbours(), spending.spent);
  statement.promise = about_generator(statement.promise);
  statement.noise_assumption = noise_text(config, plan);
  auto warnings =
      accounting::privacy_warnings(run, spending.spent, accounting::Batches::kDrawnAsStated);
  if (!config.public_data.dataset.empty()) {
    warnings.push_back("this does not cover the data called public (" + config.public_data.dataset +
                       "): they were used without noise");
  }
  GanReport report;
  report.statement = statement.promise;
  report.json = {
      {"private", true},
      {"method", name(config.method)},
      {"plan", plan.to_json()},
      {"steps", spending.steps},
      {"epsilon", train::number_or_infinity(spending.spent.epsilon)},
      {"epsilon_lower", spending.spent.epsilon_lower
                            ? train::number_or_infinity(*spending.spent.epsilon_lower)
                            : nlohmann::json()},
      {"delta", spending.spent.delta},
      {"accountant", accounting::name(spending.spent.accountant)},
      {"ledger_hash", spending.ledger_hash},
      {"statement",
       {{"promise", statement.promise},
        {"protects", statement.protects},
        {"sampling", statement.sampling_assumption},
        {"noise", statement.noise_assumption}}},
      {"shown_during_training", shown(config)},
      {"public_knowledge", train::kSizeIsPublic},
      {"arithmetic", config.method == Method::kMerf ? kProvedArithmetic : kLibTorchAssumption},
      {"warnings", warnings}};
  std::string held_out;
  if (spending.held_out) {
    report.json["held_out"] = train::held_out_json(*spending.held_out, {});
    held_out = train::held_out_paragraph(*spending.held_out) + "\n\n";
  }
  std::ostringstream text;
  text << "# Privacy of this generator\n\n"
       << report.statement << "\n\n"
       << statement.protects << "\n\n"
       << statement.sampling_assumption << " " << statement.noise_assumption << "\n\n"
       << report.json.at("arithmetic").get<std::string>() << "\n\n";
  for (const auto& warning : warnings) text << "- " << warning << "\n";
  text << (warnings.empty() ? "" : "\n") << held_out << shown(config) << "\n\n"
       << train::kSizeIsPublic << "\n\n"
       << train::plan_table(plan.to_json()) << "| steps charged | " << spending.steps
       << " |\n| ledger hash | " << spending.ledger_hash << " |\n";
  report.markdown = text.str();
  return report;
}

}  // namespace sotto::gan
