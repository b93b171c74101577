#include <array>
#include <cmath>

#include "core/counted.h"
#include "core/percentage.h"
#include "report/flat_settings.h"
#include "report/html_page.h"
#include "report/meaning_json.h"
#include "report/report_sections.h"
#include "report/run_text.h"
#include "report/tradeoff_chart.h"
#include "runs/json_file.h"
#include "runs/run_tradeoff.h"
#include "sotto/accounting/statement.h"
#include "sotto/accounting/tradeoff_curve.h"

namespace sotto::report {
namespace {

using accounting::rounded_down;
using accounting::rounded_up;
using accounting::TradeoffCurve;
using nlohmann::json;

void add_row(Table& table, const char* label, const std::string& text) {
  if (!text.empty()) table.rows.push_back({{label}, {text}});
}

std::string bounds(const runs::RunRecord& run) {
  const auto accountant = runs::text_in(run.privacy(), "accountant");
  const auto lower = runs::number_in(run.privacy(), "epsilon_lower");
  if (!lower || !std::isfinite(run.epsilon())) return "";
  return "For whoever sees every noised sum, the exact ε lies between " + rounded_down(*lower, 6) +
         " and " + rounded_up(run.epsilon(), 6) +
         (accountant.empty() ? "" : " (" + accountant + ")") +
         "; what is published may reveal less, and never more.";
}

std::string ledger_text(const runs::RunRecord& run) {
  if (!run.ledger_steps()) return "There is no ledger.jsonl beside the run.";
  return "Verified line by line: " + grouped(*run.ledger_steps()) + " " +
         noun_for(*run.ledger_steps(), "step") + " charged, each before it was made. Last line: " +
         runs::text_in(run.privacy(), "ledger_hash") + ".";
}

Html statement_table(const runs::RunRecord& run) {
  const auto& statement = run.privacy().at("statement");
  Table table{.caption = "What is promised, to whom, and under which assumptions",
              .css_class = "words"};
  const bool said = run.is_proved() || !run.is_private();
  add_row(table, "Promise", said ? runs::text_in(statement, "promise") : "None that is proved.");
  add_row(table, "Protects", runs::text_in(statement, "protects"));
  add_row(table, "If", runs::text_in(statement, "sampling"));
  add_row(table, "And if", runs::text_in(statement, "noise"));
  add_row(table, "Bounds", bounds(run));
  add_row(table, "Not covered", runs::text_in(run.privacy(), "shown_during_training"));
  add_row(table, "Ledger", ledger_text(run));
  return report::table(table);
}

Html warnings(const runs::RunRecord& run) {
  Html items;
  const auto found = run.privacy().find("warnings");
  if (found != run.privacy().end() && found->is_array()) {
    for (const auto& warning : *found) items += element("li", runs::shown(warning));
  }
  if (items.empty()) return {};
  return notice(Urgency::kNotice,
                element("p", element("strong", "Warnings")) + element("ul", items));
}

// A probability in percent, never too small (too large) for the bound that it is.
std::string percent_up(double share) {
  return short_percentage(less_than_certain(share), 3, Rounding::kUp);
}
std::string percent_down(double share) { return short_percentage(share, 3, Rounding::kDown); }

constexpr std::array kShownRates = {0.001, 0.01, 0.1};

Html attack_table(const TradeoffCurve& own, const TradeoffCurve& pair) {
  Table table{.caption = "The best test for who was among the training records",
              .head = {"outsiders wrongly accused", "members caught, at most", "by guessing"}};
  if (!own.is_of_one_pair()) table.head.emplace_back("from (ε, δ) alone");
  for (const double rate : kShownRates) {
    auto& row = table.rows.emplace_back(std::vector<Cell>{
        {percent_up(rate)}, {percent_up(own.true_positive_rate(rate))}, {percent_up(rate)}});
    if (!own.is_of_one_pair()) row.push_back({percent_up(pair.true_positive_rate(rate))});
  }
  return report::table(table);
}

Html attack_figure(const TradeoffCurve& own, const TradeoffCurve& pair) {
  const auto chart = tradeoff_chart(own, own.is_of_one_pair() ? std::nullopt : std::optional(pair));
  std::string words = "At most this share of members is caught";
  for (const double rate : kShownRates) {
    words += (rate == kShownRates.front() ? ": " : "; ") +
             percent_up(own.true_positive_rate(rate)) + " where " + percent_up(rate) +
             " of outsiders are wrongly accused";
  }
  return chart_figure(svg(chart), chart.title + ". " + words,
                      own.is_of_one_pair() ? words + ". Computed from ε and δ alone."
                                           : words +
                                                 ". Computed from the run's whole "
                                                 "privacy-loss distribution.");
}

Html belief(const TradeoffCurve& own) {
  const auto belief = accounting::belief_after_verdict(own, 0.5, kVerdictRate);
  return element(
      "p",
      "Suppose someone considers a statement about a record as likely as not (50 %) and then "
      "learns "
      "the verdict of a test, one that at least " +
          percent_up(kVerdictRate) +
          " of those it is false for would get as well (a rarer verdict may say more). They then "
          "believe the statement with a probability from " +
          percent_down(belief.lowest) + " to " + percent_up(belief.highest) +
          ". No test gains more than " + percent_up(own.advantage()) +
          " over guessing, where 100 % would be certainty.");
}

Html meaning(const runs::RunRecord& run) {
  if (!std::isfinite(run.epsilon())) return {};
  const auto own = runs::tradeoff_of(run);
  const auto pair = accounting::tradeoff_of_pair({run.epsilon(), run.delta().value_or(0)});
  return element("h3", "What it means for one person") + attack_table(own, pair) +
         attack_figure(own, pair) + belief(own);
}

Html plan(const runs::RunRecord& run) {
  auto settings = flat_settings(run.privacy().at("plan"));
  settings["steps charged"] = std::to_string(run.steps());
  return element("h3", "The plan: what was executed and priced") + settings_list(settings);
}

}  // namespace

Html privacy_section(const runs::RunRecord& run) {
  if (!run.is_private()) {
    return section("Privacy",
                   statement_table(run) + element("p",
                                                  "No ε holds for this run, at any δ: whatever was "
                                                  "computed on the way is not shown here."));
  }
  if (!run.is_proved()) {
    return section("Privacy",
                   statement_table(run) + element("p",
                                                  "No ε is proved for this run, at any δ: what was "
                                                  "promised, and its plan, are not shown here."));
  }
  return section("Privacy", warnings(run) + statement_table(run) + meaning(run) + plan(run));
}

}  // namespace sotto::report
