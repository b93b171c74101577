#include "cli/explain_output.h"

#include <cmath>

#include "accounting/customary.h"
#include "cli/text_layout.h"
#include "core/percentage.h"
#include "report/meaning_json.h"
#include "report/tradeoff_chart.h"
#include "sotto/accounting/statement.h"
#include "sotto/accounting/tradeoff_curve.h"

namespace sotto::cli {

namespace {

using accounting::rounded_up;
using report::kFalsePositiveRates;
using report::kPriors;
using report::kVerdictRate;

// Wide enough for "more than 99.9999 %".
constexpr std::size_t kColumn = 22;

std::string right(const std::string& text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(width > used ? width - used : 0, ' ') + text;
}

std::string without_the_records(const accounting::Neighbours& neighbours) {
  const bool one = neighbours.group_size() == 1;
  switch (neighbours.adjacency()) {
    case accounting::Adjacency::kReplaceOne:
      return one ? "with any other in its place" : "with any others in their place";
    case accounting::Adjacency::kZeroOut:
      return one ? "with a blank in its place" : "with blanks in their place";
    default:
      return one ? "without that record" : "without those records";
  }
}

std::string records_of_a_person(const accounting::Neighbours& neighbours) {
  const int size = neighbours.group_size();
  return size == 1 ? "one person's record"
                   : "one person's up to " + std::to_string(size) + " records";
}

std::string promise(const ExplainRequest& request) {
  const auto& [epsilon, delta] = request.guarantee;
  const std::string plus = delta > 0 ? ", plus δ = " + rounded_up(delta) : "";
  return "The probability of any conclusion about " + records_of_a_person(request.neighbours) +
         " is at most e^ε = " + rounded_up(std::exp(epsilon), 3) + " times what it would be " +
         without_the_records(request.neighbours) + plus +
         ", and the other way round; the number of records is public.";
}

std::string source(const ExplainRequest& request) {
  return request.curve.is_of_one_pair()
             ? " Computed from ε and δ alone; a run's own curve says more: name its folder, or its "
               "flags."
             : " Computed from the run's whole privacy-loss distribution, which says more than ε "
               "and δ alone.";
}

std::string caught_text(const ExplainRequest& request, double rate) {
  const double caught = request.curve.true_positive_rate(rate);
  const bool open = rate + request.guarantee.delta < 1;
  return percentage(open ? less_than_certain(caught) : caught, 2, Rounding::kUp);
}

std::string attack_table(const ExplainRequest& request) {
  std::string text = "\n            " + right("accused", 8) + right("caught, at most", kColumn) +
                     right("by guessing", 16) + '\n';
  for (const double rate : kFalsePositiveRates) {
    text += "            " + right(percentage(rate, 2), 8) +
            right(caught_text(request, rate), kColumn) + right(percentage(rate, 2), 16) + '\n';
  }
  return text + '\n';
}

std::string belief_table(const accounting::TradeoffCurve& curve) {
  std::string text = "\n            " + right("before", 8) + right("after, at least", kColumn) +
                     right("at most", kColumn) + '\n';
  for (const double prior : kPriors) {
    const auto belief = accounting::belief_after_verdict(curve, prior, kVerdictRate);
    text += "            " + right(percentage(prior, 0), 8) +
            right(percentage(belief.lowest, 1, Rounding::kDown), kColumn) +
            right(percentage(belief.highest, 1, Rounding::kUp), kColumn) + '\n';
  }
  return text + '\n';
}

}  // namespace

std::string human_text(const ExplainRequest& request) {
  const auto& guarantee = request.guarantee;
  std::string text;
  if (request.warning) text += labelled_paragraph("Warning", *request.warning) + '\n';
  text += "What " + (request.subject.empty() ? "" : request.subject + " with ") +
          "ε = " + rounded_up(guarantee.epsilon) + " at δ = " + rounded_up(guarantee.delta) +
          (request.delta_by_default ? " (none was given: --delta)" : "") + " promises\n\n";
  text += labelled_paragraph("Promise", promise(request));
  if (!request.limits.empty()) text += labelled_paragraph("Limits", request.limits);
  text += labelled_paragraph(
      "Attack",
      "The best membership test that anyone can build catches at most this share of the members, "
      "for the share of outsiders it wrongly accuses." +
          source(request));
  text += attack_table(request);
  text += labelled_paragraph(
      "Advantage", "The difference between the two is at most " +
                       percentage(less_than_certain(request.curve.advantage()), 1, Rounding::kUp) +
                       ", where 0 % is guessing and 100 % is certainty.");
  text += labelled_paragraph("Belief",
                             "Suppose someone holds a belief about that record and learns the "
                             "verdict of a test, one that at "
                             "least " +
                                 percentage(kVerdictRate, 0) +
                                 " of those it is false for would get as well (a rarer verdict may "
                                 "say more). Their belief "
                                 "then lies in this range:");
  text += belief_table(request.curve);
  return text + labelled_paragraph("Customary", accounting::customary_range(guarantee.epsilon));
}

std::string json_text(const ExplainRequest& request) {
  auto json = report::meaning_json(request.guarantee, request.curve);
  if (!request.subject.empty()) json["run"] = request.subject;
  if (!request.limits.empty()) json["limits"] = request.limits;
  json["warnings"] =
      request.warning ? nlohmann::ordered_json{*request.warning} : nlohmann::ordered_json::array();
  json["customary"] = accounting::customary_range(request.guarantee.epsilon);
  if (request.plot) json["plot"] = request.plot->string();
  return json.dump(2) + '\n';
}

std::string picture(const ExplainRequest& request) {
  if (request.curve.is_of_one_pair()) return svg(report::tradeoff_chart(request.curve));
  return svg(
      report::tradeoff_chart(request.curve, accounting::tradeoff_of_pair(request.guarantee)));
}

}  // namespace sotto::cli
