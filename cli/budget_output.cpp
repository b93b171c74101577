#include "cli/budget_output.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "accounting/customary.h"
#include "cli/text_layout.h"
#include "core/counted.h"
#include "core/json_number.h"
#include "core/printed_number.h"

namespace sotto::cli {

namespace {

using accounting::BudgetAnswer;
using accounting::BudgetGoal;
using accounting::BudgetQuestion;
using accounting::PrivacyCost;
using accounting::RdpComparison;
using accounting::rounded_down;
using accounting::rounded_up;
using accounting::TuningCost;
using Json = nlohmann::ordered_json;

// "ε ≤ 0.6111 at δ = 1e-05", with what was found, if not ε, in front.
std::string headline(const BudgetQuestion& question, const BudgetAnswer& answer) {
  const auto& cost = answer.cost;
  const std::string adjacency = cost.is_approximation ? " ≈ " : " ≤ ";
  const std::string epsilon =
      std::isinf(cost.epsilon) ? "ε = ∞" : "ε" + adjacency + rounded_up(cost.epsilon);
  // The given one is rounded up as well: rounding it down would claim more than is proved.
  std::string text = epsilon + " at δ = " + rounded_up(cost.delta, 6);
  switch (question.goal) {
    case BudgetGoal::kEpsilon:
      return text;
    case BudgetGoal::kDelta:
      return "δ" + adjacency + rounded_up(cost.delta) + " at ε = " + rounded_up(cost.epsilon, 6);
    case BudgetGoal::kNoiseMultiplier:
      return "noise multiplier " + significant(answer.run.noise_multiplier(), 6) + " gives " + text;
    case BudgetGoal::kEpochs:
      return significant(static_cast<double>(*answer.run.epochs()), 12) +
             " epochs, no more, keep " + text;
  }
  return text;
}

std::string bounds(const PrivacyCost& cost) {
  const std::string name(accounting::to_string(cost.accountant));
  if (cost.epsilon_lower && std::isfinite(cost.epsilon)) {
    return "for whoever sees every noised sum, the exact ε lies between " +
           rounded_down(*cost.epsilon_lower, 6) + " and " + rounded_up(cost.epsilon, 6) + " (" +
           name + "); the final model alone may reveal less";
  }
  if (cost.delta_lower) {
    return "for whoever sees every noised sum, the exact δ lies between " +
           rounded_down(*cost.delta_lower, 5) + " and " + rounded_up(cost.delta, 5) + " (" + name +
           "); the final model alone may reveal less";
  }
  if (cost.order) {
    return "an upper bound (" + name + ", best order " + significant(*cost.order, 6) +
           "); pld gives a smaller one, with a bound from below";
  }
  return cost.is_approximation ? "none: " + name + " approximates"
                               : "an upper bound (" + name + ")";
}

std::string rdp_text(const RdpComparison& rdp) {
  const auto describe = [](const accounting::RdpEpsilon& bound) {
    return rounded_up(bound.epsilon) + " (α = " + significant(bound.order, 6) + ")";
  };
  return "Rényi accounting of the same run says " + describe(rdp.improved) +
         ", with the classic conversion " + describe(rdp.classic);
}

std::string tuning_text(const TuningCost& tuning) {
  std::string text = "Keeping the best of " + counted(tuning.runs, "such run") + " costs ε " +
                     (tuning.fixed_runs.is_approximation ? "≈ " : "≤ ") +
                     rounded_up(tuning.fixed_runs.epsilon);
  if (tuning.random_runs) {
    text += "; if their number is drawn at random (geometric, " + std::to_string(tuning.runs) +
            " on average, kept secret), ε ≤ " + rounded_up(tuning.random_runs->epsilon) +
            " (by rdp)";
  }
  return text;
}

std::string accountants_table(const std::vector<PrivacyCost>& costs) {
  std::string text;
  for (const auto& cost : costs) {
    std::string line =
        std::string(cost.is_approximation ? "≈ " : "≤ ") + padded(rounded_up(cost.epsilon), 10);
    if (cost.epsilon_lower) line += "≥ " + rounded_down(*cost.epsilon_lower, 5);
    if (cost.order) line += "order " + significant(*cost.order, 6);
    if (cost.is_approximation) line += "no bound: may understate";
    text += padded("", 12) + padded(accounting::to_string(cost.accountant), 6) + line + '\n';
  }
  return text;
}

Json cost_json(const PrivacyCost& cost, accounting::Conversion conversion) {
  Json json;
  json["epsilon"] = json_number(cost.epsilon);
  json["epsilon_lower"] = json_number(cost.epsilon_lower);
  json["delta"] = cost.delta;
  if (cost.delta_lower) json["delta_lower"] = *cost.delta_lower;
  json["accountant"] = accounting::to_string(cost.accountant);
  json["conversion"] = accounting::to_string(conversion);
  if (cost.order) json["order"] = *cost.order;
  if (cost.is_approximation) json["is_bound"] = false;
  return json;
}

Json rdp_json(const accounting::RdpEpsilon& bound) {
  return {{"epsilon", json_number(bound.epsilon)}, {"order", bound.order}};
}

template <typename Value>
Json nullable(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

std::string human_text(const BudgetQuestion& question, const BudgetAnswer& answer) {
  const auto statement =
      accounting::privacy_statement(answer.run, question.neighbours, answer.cost);
  const auto first = accounting::delta_warning(answer.cost.delta, answer.run.dataset_size());
  std::string text = first ? labelled_paragraph("Warning", *first) + '\n' : "";
  text += headline(question, answer) + "\n\n";
  if (std::isfinite(answer.cost.epsilon)) {
    text += labelled_paragraph("Bounds", bounds(answer.cost));
  }
  text += labelled_paragraph("Promise", statement.promise);
  text += labelled_paragraph("Protects", statement.protects);
  text += labelled_paragraph("If", statement.sampling_assumption);
  text += labelled_paragraph("And if", statement.noise_assumption);
  text += labelled_paragraph("Length", answer.run.describe_length());
  if (answer.rdp && std::isfinite(answer.cost.epsilon)) {
    text += labelled_paragraph("Compare", rdp_text(*answer.rdp));
  }
  if (!answer.accountants.empty()) text += "Accountants\n" + accountants_table(answer.accountants);
  if (answer.tuning) text += labelled_paragraph("Tuning", tuning_text(*answer.tuning));
  if (std::isfinite(answer.cost.epsilon)) {
    text += labelled_paragraph("Customary", accounting::customary_range(answer.cost.epsilon));
  }
  for (const auto& warning : accounting::privacy_warnings(answer.run, answer.cost)) {
    if (warning != first) text += labelled_paragraph("Warning", warning);
  }
  return text;
}

std::string json_text(const BudgetQuestion& question, const BudgetAnswer& answer) {
  const auto& run = answer.run;
  Json json = cost_json(answer.cost, question.accounting.conversion);
  json["steps"] = run.steps();
  json["epochs"] = nullable(run.epochs());
  json["sample_rate"] = run.sampling() == accounting::Sampling::kNone ? 1.0 : run.sample_rate();
  json["noise_multiplier"] = run.noise_multiplier();
  json["adjacency"] = accounting::to_string(question.neighbours.adjacency());
  json["sampling"] = accounting::to_string(run.sampling());
  json["group_size"] = question.neighbours.group_size();
  json["dataset_size"] = nullable(run.dataset_size());
  json["batch_size"] = nullable(run.batch_size());
  if (answer.rdp) {
    json["rdp"] = {{"improved", rdp_json(answer.rdp->improved)},
                   {"classic", rdp_json(answer.rdp->classic)}};
  }
  if (!answer.accountants.empty()) {
    json["accountants"] = Json::array();
    for (const auto& cost : answer.accountants) {
      json["accountants"].push_back(cost_json(cost, question.accounting.conversion));
    }
  }
  if (answer.tuning) {
    json["tuning"] = {{"runs", answer.tuning->runs},
                      {"epsilon_fixed_runs", json_number(answer.tuning->fixed_runs.epsilon)}};
    json["tuning"]["is_bound"] = !answer.tuning->fixed_runs.is_approximation;
    if (answer.tuning->random_runs) {
      json["tuning"]["epsilon_random_runs"] = json_number(answer.tuning->random_runs->epsilon);
    }
  }
  json["customary"] = accounting::customary_range(answer.cost.epsilon);
  json["warnings"] = accounting::privacy_warnings(run, answer.cost);
  return json.dump(2) + '\n';
}

}  // namespace sotto::cli
