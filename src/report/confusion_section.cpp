#include <algorithm>
#include <numeric>

#include "core/counted.h"
#include "report/html_page.h"
#include "report/report_sections.h"
#include "report/run_text.h"
#include "sotto/accounting/statement.h"

namespace sotto::report {
namespace {

constexpr std::size_t kMostClassesDrawn = 30;
constexpr std::size_t kMostConfusionsNamed = 8;

struct Confusion {
  std::int64_t truth;
  std::int64_t taken_for;
  std::int64_t count;
  std::int64_t of;  // records of that class
};

std::int64_t total(const std::vector<std::int64_t>& row) {
  return std::accumulate(row.begin(), row.end(), std::int64_t{0});
}

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// The most frequent first; among equally frequent ones in the order of the classes.
std::vector<Confusion> confusions(const runs::RunEvaluation& evaluation) {
  std::vector<Confusion> found;
  for (std::size_t truth = 0; truth < evaluation.confusion.size(); ++truth) {
    const auto& row = evaluation.confusion[truth];
    for (std::size_t other = 0; other < row.size(); ++other) {
      if (other == truth || row[other] == 0) continue;
      found.push_back({static_cast<std::int64_t>(truth), static_cast<std::int64_t>(other),
                       row[other], total(row)});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& left, const auto& right) { return left.count > right.count; });
  return found;
}

Html named_confusions(const runs::RunEvaluation& evaluation) {
  auto found = confusions(evaluation);
  if (found.empty()) return element("p", "No test record was taken for another class.");
  if (found.size() > kMostConfusionsNamed) found.resize(kMostConfusionsNamed);
  Html items;
  for (const auto& confusion : found) {
    items +=
        element("li", element("strong", evaluation.class_name(confusion.truth)) + " taken for " +
                          element("strong", evaluation.class_name(confusion.taken_for)) + ": " +
                          grouped(confusion.count) + noun_for(confusion.count, " time") + ", " +
                          percent(share(confusion.count, confusion.of)) + " of that class");
  }
  return element("h3", "Most frequent confusions") + element("ol", items);
}

Cell heat_cell(std::int64_t count, double share) {
  const std::string strength = digits(share, 3);
  Cell cell{grouped(count), {{"style", "background:rgba(var(--heat)," + strength + ")"}}};
  if (share > 0.75) cell.attributes.push_back({"class", "full"});
  return cell;
}

Html heat_map(const runs::RunEvaluation& evaluation) {
  Table table{.caption =
                  "Rows: the true class. Columns: what the model said. Counts of test "
                  "records; the darker, the larger their share of the row.",
              .head = {"true class"},
              .css_class = "heat"};
  for (std::size_t i = 0; i < evaluation.confusion.size(); ++i) {
    const auto label = static_cast<std::int64_t>(i);
    const auto& row = evaluation.confusion[i];
    table.head.emplace_back(evaluation.class_name(label));
    auto& cells = table.rows.emplace_back(std::vector<Cell>{{evaluation.class_name(label)}});
    for (const auto count : row) cells.push_back(heat_cell(count, share(count, total(row))));
    cells.push_back({percent(share(row[i], total(row)))});
  }
  table.head.emplace_back("right");
  return report::table(table);
}

// Of a run whose test records are private: what was released of them.
Html released_answers(const runs::RunEvaluation& evaluation, bool is_proved) {
  const auto& answers = *evaluation.held_out;
  Table table{.caption = "Answers on held-out records, each number with noise of its own",
              .head = {"true class", "right", "wrong"}};
  for (std::size_t i = 0; i < answers.counts.size(); ++i) {
    table.rows.push_back({{evaluation.class_name(static_cast<std::int64_t>(i))},
                          {grouped(answers.counts[i].first)},
                          {grouped(answers.counts[i].second)}});
  }
  const std::string error =
      answers.accuracy_error
          ? " It moves the accuracy by about " + digits(100 * *answers.accuracy_error, 2) + " %."
          : "";
  return section("Answers on held-out records",
                 element("p",
                         "The records held out for testing are private, too. Right and wrong "
                         "answers were counted by class and released once, with discrete "
                         "Laplace noise" +
                             (is_proved ? " of ε = " + accounting::rounded_up(answers.epsilon)
                                        : std::string()) +
                             "." + error) +
                     report::table(table));
}

}  // namespace

Html confusion_section(const runs::RunRecord& run) {
  const char* heading = "Which classes are confused";
  if (run.is_generator()) return {};
  const auto& evaluation = run.evaluation();
  if (evaluation && evaluation->held_out) return released_answers(*evaluation, run.is_proved());
  if (!evaluation || evaluation->confusion.empty()) {
    return section(heading, element("p",
                                    "There is no evaluation.json with a confusion matrix beside "
                                    "the run."));
  }
  const std::size_t classes = evaluation->confusion.size();
  const Html matrix = classes <= kMostClassesDrawn
                          ? heat_map(*evaluation)
                          : element("p", "The matrix of " + std::to_string(classes) +
                                             " classes is too large to be drawn here.");
  return section(heading, matrix + named_confusions(*evaluation));
}

}  // namespace sotto::report
