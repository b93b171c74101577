#include "core/counted.h"
#include "report/html_page.h"
#include "report/line_chart.h"
#include "report/report_sections.h"
#include "report/run_text.h"
#include "runs/confusion_scores.h"

namespace sotto::report {
namespace {

using runs::ConfusionScores;
using runs::Interval;
using runs::RunEvaluation;

std::string share_with_interval(const std::optional<double>& share,
                                const std::optional<Interval>& interval) {
  if (!share) return "–";
  if (!interval) return percent(*share);
  return percent(*share) + " (" + percent(interval->low) + " to " + percent(interval->high) + ")";
}

Html verdict_on(const ConfusionScores& scores, const RunEvaluation& evaluation) {
  const auto answer = static_cast<std::int64_t>(scores.baseline.answer);
  return element("p", runs::baseline_sentence(scores.baseline, evaluation.class_name(answer)));
}

Html numbers_table(const ConfusionScores& scores, const RunEvaluation& evaluation) {
  Table table{.caption = "On " + grouped(scores.records) + " " +
                         noun_for(scores.records, "test record") +
                         ". In brackets: 95 % intervals, Clopper-Pearson for shares, DeLong "
                         "(on the logit scale) for the AUC."};
  const auto add = [&](const char* what, const std::string& value) {
    table.rows.push_back({{what}, {value}});
  };
  add("accuracy", share_with_interval(scores.accuracy, scores.accuracy_interval));
  add("balanced accuracy (mean recall)", percent(scores.balanced_accuracy));
  add("always the most frequent class", percent(scores.baseline.accuracy));
  if (const auto& auc = evaluation.auc) {
    const auto text = digits(auc->value);
    add("AUC", auc->interval ? text + " (" + digits(auc->interval->low) + " to " +
                                   digits(auc->interval->high) + ")"
                             : text);
  }
  if (const auto& reliability = evaluation.reliability) {
    add("expected calibration error", percent(reliability->expected_error));
    add("Brier score", digits(reliability->brier));
    add("log loss", digits(reliability->log_loss));
  }
  return report::table(table);
}

Html recalls_table(const ConfusionScores& scores, const RunEvaluation& evaluation) {
  Table table{.caption =
                  "Recall: the share of a class that is found. Precision: the share of what "
                  "is taken for the class that is it.",
              .head = {"class", "records", "recall", "precision"}};
  for (std::size_t i = 0; i < scores.classes.size(); ++i) {
    const auto& of_class = scores.classes[i];
    table.rows.push_back(
        {{evaluation.class_name(static_cast<std::int64_t>(i))},
         {grouped(of_class.records)},
         {share_with_interval(of_class.recall(), of_class.recall_interval())},
         {share_with_interval(of_class.precision(), of_class.precision_interval())}});
  }
  return report::table(table);
}

Html reliability_figure(const runs::Reliability& reliability, const RunEvaluation& evaluation) {
  const bool two = evaluation.confusion.size() == 2;
  const std::string what =
      two ? "class " + evaluation.class_name(1) : std::string("the predicted class");
  LineChart chart{.title = "Do probabilities mean what they say?",
                  .subtitle = "Points on the diagonal do; below it, probabilities are too high.",
                  .x_label = "probability given to " + what,
                  .y_label = "how often it was true",
                  .x_percent = true,
                  .y_percent = true};
  Line seen{.label = "test records, by tenths of probability", .style = LineStyle::kPoints};
  std::string words;
  for (const auto& bin : reliability.bins) {
    if (bin.records == 0) continue;
    seen.xs.push_back(bin.mean_probability);
    seen.ys.push_back(*bin.observed());
    words += (words.empty() ? "" : "; ") + percent(bin.mean_probability) + ": true for " +
             share_with_interval(bin.observed(), bin.interval()) + " of " + grouped(bin.records);
  }
  chart.lines.push_back(std::move(seen));
  chart.lines.push_back({"as it should be", {0, 1}, {0, 1}, LineStyle::kDotted});
  return chart_figure(svg(chart), chart.title + " " + words, words + ".");
}

}  // namespace

Html scores_section(const runs::RunRecord& run) {
  const auto& evaluation = run.evaluation();
  if (run.is_generator() || !evaluation || evaluation->held_out) return {};
  const auto scores = runs::confusion_scores(evaluation->confusion);
  if (!scores) return {};
  Html content = verdict_on(*scores, *evaluation) + numbers_table(*scores, *evaluation) +
                 recalls_table(*scores, *evaluation);
  if (evaluation->reliability) {
    content += reliability_figure(*evaluation->reliability, *evaluation);
  }
  return section("How good it is", content);
}

}  // namespace sotto::report
