#include "runs/privacy_report.h"

#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/json_number.h"
#include "core/percentage.h"
#include "core/sentence.h"
#include "plan/plan_json.h"
#include "runs/held_out_json.h"
#include "runs/run_tradeoff.h"
#include "sotto/accounting/tradeoff_curve.h"

namespace sotto::runs {
namespace {

constexpr const char* kSizeIsPublic =
    "The number of training records (dataset_size) is public: it is stated exactly, and ε does not "
    "cover it.";

std::string promise_of(const AccountedRun& run) {
  return run.statement.promise + (run.limits.empty() ? "" : " " + run.limits);
}

nlohmann::json statement_json(const AccountedRun& run) {
  const auto& statement = run.statement;
  return {{"promise", promise_of(run)},
          {"limits", run.limits},
          {"protects", statement.protects},
          {"sampling", statement.sampling_assumption},
          {"noise", statement.noise_assumption}};
}

nlohmann::json report_json(const AccountedRun& run) {
  const auto& cost = run.cost;
  nlohmann::json json = {{"private", run.is_private},
                         {"plan", json_of(run.spend.plan)},
                         {"steps", run.spend.steps},
                         {"epsilon", json_number<nlohmann::json>(cost.epsilon)},
                         {"epsilon_lower", json_number<nlohmann::json>(cost.epsilon_lower)},
                         {"delta", cost.delta},
                         {"accountant", accounting::to_string(cost.accountant)},
                         {"ledger_hash", run.ledger_hash},
                         {"statement", statement_json(run)},
                         {"shown_during_training", run.shown},
                         {"public_knowledge", kSizeIsPublic},
                         {"arithmetic", run.arithmetic},
                         {"warnings", run.warnings}};
  if (is<SearchedClipping>(run.spend.plan.options().clipping)) {
    json["threshold_searches"] = run.spend.searches;
  }
  if (run.held_out.terms) {
    json["held_out"] = held_out_json(*run.held_out.terms, run.held_out.folder);
  }
  return json;
}

// The plan as the first rows of a Markdown table.
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

// In numbers, which the promise gives as a factor only.
std::string numbers_of(const AccountedRun& run) {
  return "This " + run.subject + " is differentially private with ε ≤ " +
         accounting::rounded_up(run.cost.epsilon) +
         " at δ = " + accounting::rounded_up(run.cost.delta) + ". ";
}

std::string percent_at_most(double share) { return percentage(share, 1, Rounding::kUp); }

// From the run's own curve: what a person risks, in one sentence.
std::string beliefs_of(const AccountedRun& run) {
  const auto curve = tradeoff_of({run.cost.epsilon, run.cost.delta}, run.spend,
                                 run.held_out.terms ? HeldOut::kSome : HeldOut::kNone);
  const auto after = [&](double prior) {
    return percent_at_most(
        accounting::belief_after_verdict(curve, prior, accounting::kVerdictRate).highest);
  };
  std::string before;
  std::string afterwards;
  for (const double prior : accounting::kFewPriors) {
    const bool last = prior == accounting::kFewPriors.back();
    const char* const between = before.empty() ? "" : last ? " or " : ", ";
    before += between + percentage(prior, 0);
    afterwards += between + after(prior);
  }
  return "Whoever believes something about a record with a probability of " + before +
         ", and then learns from the best test that it is so, may believe it with at most " +
         afterwards + " (after a verdict that at least " + percentage(accounting::kVerdictRate, 0) +
         " of those it is wrong about would get, too).";
}

constexpr const char* kHowToCheck =
    "`sotto statement RUN`, with the folder of this run, verifies its ledger and makes a page of "
    "this for a board. Whoever holds the records and the machine was trusted; the records, "
    "checkpoint.pt and every file with \"private\" in its name must stay with them.";

std::string title(const std::string& subject) { return "# Privacy of this " + subject + "\n\n"; }

std::string report_markdown(const AccountedRun& run, const std::string& opening) {
  std::ostringstream text;
  const bool promised = run.is_private && std::isfinite(run.cost.epsilon);
  text << title(run.subject);
  for (const auto& warning : run.warnings) text << "- " << as_sentence(warning) << "\n";
  if (!run.warnings.empty()) text << "\n";
  text << (promised ? numbers_of(run) : "") << opening << "\n\n";
  if (promised) text << beliefs_of(run) << "\n\n";
  if (!run.statement.protects.empty()) {
    text << run.statement.protects << "\n\n"
         << run.statement.sampling_assumption << " " << run.statement.noise_assumption << "\n\n"
         << run.arithmetic << "\n\n";
  }
  if (run.held_out.terms) text << held_out_paragraph(*run.held_out.terms) << "\n\n";
  text << run.shown << "\n\n"
       << kSizeIsPublic << "\n\n"
       << kHowToCheck << "\n\n"
       << plan_table(json_of(run.spend.plan)) << "| steps charged | " << run.spend.steps
       << " |\n| ledger hash | " << run.ledger_hash << " |\n";
  return text.str();
}

}  // namespace

const char* const kNoiseFromSeed =
    "sampling and noise came from a given seed, and whoever knows or guesses it can subtract the "
    "noise.";
const char* const kWithoutNoise = "it was trained without clipping and noise.";

std::string not_private(const std::string& subject, const std::string& why) {
  std::string loud = subject;
  for (auto& letter : loud) letter = static_cast<char>(std::toupper(letter));
  return "THIS " + loud + " IS NOT PRIVATE: " + why;
}

PrivacyReport report_on(const AccountedRun& run) {
  PrivacyReport report;
  report.statement = promise_of(run);
  report.json = report_json(run);
  report.markdown = report_markdown(run, report.statement);
  return report;
}

PrivacyReport report_not_private(const std::string& subject, const std::string& why) {
  PrivacyReport report;
  report.statement = not_private(subject, why);
  report.json = {{"private", false},
                 {"epsilon", kInfinityText},
                 {"statement", {{"promise", report.statement}}}};
  report.markdown = title(subject) + report.statement + "\n";
  return report;
}

}  // namespace sotto::runs
