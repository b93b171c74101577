#include <set>

#include "report/comparison.h"
#include "report/flat_settings.h"
#include "report/html_page.h"
#include "report/line_chart.h"
#include "report/report_sections.h"
#include "report/run_text.h"
#include "sotto/core/error.h"

namespace sotto::report {
namespace {

using Runs = std::vector<runs::RunRecord>;

constexpr std::size_t kLineColours = 6;  // of a chart's lines

std::string number_of(std::size_t place) { return std::to_string(place + 1); }

// Numbers, with names where a chart has room for them in one line.
std::vector<std::string> line_labels(const Runs& runs) {
  constexpr std::size_t kRoom = 90;  // characters
  std::size_t needed = 0;
  for (const auto& run : runs) needed += run.name().size() + 8;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    labels.push_back(needed <= kRoom ? number_of(i) + " " + runs[i].name() : number_of(i));
  }
  return labels;
}

struct Axes {
  const char* title;
  const char* x_key;
  const char* x_label;
  const char* y_key;
  const char* y_label;
};

Html common_chart(const Runs& runs, const Axes& axes) {
  LineChart chart{axes.title, "", axes.x_label, axes.y_label, {}};
  std::string missing;
  std::string words;
  const auto labels = line_labels(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto series = runs[i].series(axes.x_key, axes.y_key);
    Line line{labels[i], std::move(series.xs), std::move(series.ys)};
    if (line.xs.empty()) {
      missing += (missing.empty() ? "" : ", ") + number_of(i);
    } else {
      words += (words.empty() ? "" : "; ") + ("run " + number_of(i)) + " ends at " +
               metric_text(axes.y_key, line.ys.back());
    }
    chart.lines.push_back(std::move(line));  // without points as well: colours follow the runs
  }
  if (words.empty()) return {};
  const std::string absent = missing.empty() ? ""
                                             : " Not drawn, because there is nothing to draw: "
                                               "run " +
                                                   missing + ".";
  return chart_figure(svg(chart), std::string(axes.title) + ": " + words, words + "." + absent);
}

Html charts(const Runs& runs) {
  Html figures;
  for (const auto& axes :
       {Axes{"Accuracy by epoch", "epoch", "epoch", "test_accuracy", "test accuracy"},
        Axes{"Accuracy by privacy spent", "epsilon", "ε", "test_accuracy", "test accuracy"},
        Axes{"Privacy spent by epoch", "epoch", "epoch", "epsilon", "ε"}}) {
    figures += common_chart(runs, axes);
  }
  if (figures.empty()) return section("Curves", element("p", "No run has metrics to draw."));
  if (runs.size() > kLineColours) {
    figures += element("p", "Colours repeat after " + std::to_string(kLineColours) + " runs.");
  }
  return section("Curves", figures);
}

Html overview(const Runs& runs) {
  const auto content = comparison_table(runs);
  Table table{.caption = "One row per run; accuracy on test data, ε rounded up",
              .css_class = "runs"};
  for (const auto& title : content.head) table.head.emplace_back(title);
  for (const auto& row : content.rows) {
    auto& cells = table.rows.emplace_back();
    for (const auto& text : row) cells.push_back({text});
  }
  return section("Runs", report::table(table));
}

Html together(const Runs& runs) {
  Html sentences;
  for (const auto& combined : runs::combined_costs(runs)) {
    sentences += element("p", combined.sentence);
  }
  if (sentences.empty()) {
    return section("Together", element("p",
                                       "Each run was trained on different data, by name and by "
                                       "content: each keeps its own ε. The same records in "
                                       "another file would not."));
  }
  return section(
      "Together",
      notice(Urgency::kNotice, sentences) +
          element("p",
                  "Data sets are distinguished by their names and their contents, as config.json "
                  "records them; records that are in two files are not found. Runs that are not "
                  "listed here count as well, even those whose results were only looked at."));
}

std::vector<Cell> settings_row(const std::string& key, const std::vector<Settings>& settings,
                               bool differs) {
  std::vector<Cell> row{{key}};
  for (const auto& of_run : settings) {
    const auto found = of_run.find(key);
    Cell cell{found == of_run.end() ? "–" : found->second};
    if (differs) cell.attributes.push_back({"class", "differs"});
    row.push_back(std::move(cell));
  }
  return row;
}

Html compared_settings(const Runs& runs) {
  std::vector<Settings> of_runs;
  std::set<std::string> keys;
  for (const auto& run : runs) {
    of_runs.push_back(flat_settings(run.config()));
    for (const auto& [key, value] : of_runs.back()) keys.insert(key);
  }
  Table different{.caption = "Settings in which the runs differ", .head = {"setting"}};
  Table same{.caption = "Settings that are the same in all runs", .head = {"setting", "value"}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    different.head.emplace_back(number_of(i) + " " + runs[i].name());
  }
  for (const auto& key : keys) {
    std::set<std::string> values;
    for (const auto& of_run : of_runs) {
      values.insert(of_run.contains(key) ? of_run.at(key) : "–");
    }
    if (values.size() > 1) {
      different.rows.push_back(settings_row(key, of_runs, true));
    } else {
      same.rows.push_back(settings_row(key, {of_runs.front()}, false));
    }
  }
  const Html differences = different.rows.empty() ? element("p", "All settings are the same.")
                                                  : report::table(different);
  return section(
      "Settings",
      differences + (same.rows.empty() ? Html()
                                       : element("details", element("summary", "The same") +
                                                                report::table(same))));
}

Html all_alarms(const Runs& runs) {
  Html result;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Html of_run = alarms(runs[i]);
    if (of_run.empty()) continue;
    result += element("h3", "Run " + number_of(i) + ", " + runs[i].name()) + of_run;
  }
  return result;
}

}  // namespace

namespace {

std::string name_and_state(const runs::RunRecord& run) {
  return run.name() + (run.is_finished() ? "" : " (interrupted)");
}

}  // namespace

ComparisonTable comparison_table(const Runs& runs) {
  ComparisonTable table{
      {"run", "data", "model", "method", "batch", "σ", "epochs", "ε", "δ", "accuracy", "seconds"},
      {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& run = runs[i];
    table.rows.push_back({number_of(i) + " " + name_and_state(run), run.dataset(), run.model(),
                          run.method(), batch_text(run), noise_text(run), epochs_text(run),
                          epsilon_text(run), delta_text(run), percent_or_unknown(run.accuracy()),
                          seconds_text(run)});
  }
  return table;
}

std::string comparison_html(const Runs& runs) {
  check_argument(runs.size() >= 2, "a comparison needs at least two runs, got ", runs.size());
  const std::string title = "Comparison of " + std::to_string(runs.size()) + " runs";
  const Html header = element("header", all_alarms(runs) + element("h1", title));
  const Html footer = element("footer", Html("Made by ") + element("code", "sotto report") +
                                            " from the files of the runs.");
  return html_page(title, header + overview(runs) + together(runs) + charts(runs) +
                              compared_settings(runs) + footer);
}

}  // namespace sotto::report
