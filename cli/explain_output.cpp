#include "cli/explain_output.h"

#include <cmath>

#include "cli/text_layout.h"
#include "report/meaning_json.h"
#include "report/tradeoff_chart.h"
#include "sotto/accounting/meaning.h"
#include "sotto/accounting/statement.h"

namespace sotto::cli {

namespace {

using accounting::rounded_up;
using report::kFalsePositiveRates;
using report::kPriors;
using report::kVerdictRate;

enum class Rounding { kUp, kDown, kNearest };

// Bounds are not rounded to the wrong side; 30.000000000000004 is 30 all the same.
std::string percent(double share, int decimals, Rounding rounding = Rounding::kNearest) {
  constexpr double kSlack = 1e-9;
  const double unit = std::pow(10, decimals);
  double shown = 100 * share * unit;
  if (rounding == Rounding::kUp) shown = std::ceil(shown - kSlack);
  if (rounding == Rounding::kDown) shown = std::floor(shown + kSlack);
  char text[32];
  std::snprintf(text, sizeof text, "%.*f %%", decimals, shown / unit);
  return text;
}

std::string right(const std::string& text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(width > used ? width - used : 0, ' ') + text;
}

std::string without_the_record(accounting::Relation relation) {
  switch (relation) {
    case accounting::Relation::kReplaceOne:
      return "with any other in its place";
    case accounting::Relation::kZeroOut:
      return "with a blank in its place";
    default:
      return "without that record";
  }
}

std::string promise(const ExplainRequest& request) {
  const auto& [epsilon, delta] = request.guarantee;
  const std::string plus = delta > 0 ? ", plus δ = " + rounded_up(delta) : "";
  return "The probability of any conclusion about one person's record is at most e^ε = " +
         rounded_up(std::exp(epsilon), 3) + " times what it would be " +
         without_the_record(request.relation) + plus +
         ", and the other way round; the number of records is public.";
}

std::string source(const ExplainRequest& request) {
  return request.curve.is_of_one_pair()
             ? " Computed from ε and δ alone; a run's own curve says more: name its folder, or its "
               "flags."
             : " Computed from the run's whole privacy-loss distribution, which says more than ε "
               "and δ alone.";
}

std::string attack_table(const accounting::TradeoffCurve& curve) {
  std::string text = "\n            " + right("accused", 8) + right("caught, at most", 20) +
                     right("by guessing", 16) + '\n';
  for (const double rate : kFalsePositiveRates) {
    const double caught = curve.true_positive_rate(rate);
    text += "            " + right(percent(rate, 2), 8) +
            right(percent(caught, 2, Rounding::kUp), 20) + right(percent(rate, 2), 16) + '\n';
  }
  return text + '\n';
}

std::string belief_table(const accounting::TradeoffCurve& curve) {
  std::string text = "\n            " + right("before", 8) + right("after, at least", 20) +
                     right("at most", 16) + '\n';
  for (const double prior : kPriors) {
    const auto belief = accounting::belief_after_verdict(curve, prior, kVerdictRate);
    text += "            " + right(percent(prior, 0), 8) +
            right(percent(belief.lowest, 1, Rounding::kDown), 20) +
            right(percent(belief.highest, 1, Rounding::kUp), 16) + '\n';
  }
  return text + '\n';
}

}  // namespace

std::string human_text(const ExplainRequest& request) {
  const auto& guarantee = request.guarantee;
  std::string text = "What " + (request.subject.empty() ? "" : request.subject + " with ") +
                     "ε = " + rounded_up(guarantee.epsilon) +
                     (guarantee.delta > 0 ? " at δ = " + rounded_up(guarantee.delta) : "") +
                     " promises\n\n";
  text += labelled_paragraph("Promise", promise(request));
  if (!request.limits.empty()) text += labelled_paragraph("Limits", request.limits);
  text += labelled_paragraph(
      "Attack",
      "The best membership test that anyone can build catches at most this share of the members, "
      "for the share of outsiders it wrongly accuses." +
          source(request));
  text += attack_table(request.curve);
  text += labelled_paragraph("Advantage", "The difference between the two is at most " +
                                              percent(request.curve.advantage(), 1, Rounding::kUp) +
                                              ", where 0 % is guessing and 100 % is certainty.");
  text += labelled_paragraph("Belief",
                             "Suppose someone holds a belief about that record and learns the "
                             "verdict of a test, one that at "
                             "least " +
                                 percent(kVerdictRate, 0) +
                                 " of those it is false for would get as well (a rarer verdict may "
                                 "say more). Their belief "
                                 "then lies in this range:");
  return text + belief_table(request.curve);
}

std::string json_text(const ExplainRequest& request) {
  auto json = report::meaning_json(request.guarantee, request.curve);
  if (!request.subject.empty()) json["run"] = request.subject;
  if (!request.limits.empty()) json["limits"] = request.limits;
  if (request.plot) json["plot"] = request.plot->string();
  return json.dump(2) + '\n';
}

std::string picture(const ExplainRequest& request) {
  if (request.curve.is_of_one_pair()) return svg(report::tradeoff_chart(request.curve));
  return svg(
      report::tradeoff_chart(request.curve, accounting::tradeoff_of_pair(request.guarantee)));
}

}  // namespace sotto::cli
