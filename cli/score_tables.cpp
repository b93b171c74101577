#include "cli/score_tables.h"

#include <algorithm>
#include <cstdio>

#include "cli/text_layout.h"
#include "cli/text_table.h"

namespace sotto::cli {
namespace {

constexpr TextColumn fixed_right(std::size_t width) {
  return {.least = width, .most = width, .to_the_right = true};
}

constexpr TextColumn kShare = fixed_right(28);
constexpr TextColumn kCount = fixed_right(9);

std::string formatted(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::size_t widest(const std::vector<std::string>& names, std::size_t least) {
  for (const auto& name : names) least = std::max(least, display_width(name));
  return least;
}

}  // namespace

std::string share_text(const std::optional<double>& share,
                       const std::optional<runs::Interval>& interval) {
  if (!share) return "–";
  auto text = formatted("%.2f %%", 100 * *share);
  if (!interval) return text;
  return text + " (" + formatted("%.2f", 100 * interval->low) + " to " +
         formatted("%.2f", 100 * interval->high) + ")";
}

std::string class_table(const runs::ClassificationScores& scores,
                        const std::vector<std::string>& classes) {
  if (!scores.counts) return "";
  const bool ranked = scores.auc && !scores.auc->by_class.empty();
  TextTable table({TextColumn::fixed(widest(classes, 5)), kCount, kShare, kShare, kCount}, 0);
  std::vector<std::string> line = {"class", "records", "recall", "precision"};
  if (ranked) line.emplace_back("AUC");
  table.add(line);
  for (std::size_t i = 0; i < scores.counts->classes.size(); ++i) {
    const auto& row = scores.counts->classes[i];
    line = {classes[i], std::to_string(row.records),
            share_text(row.recall(), row.recall_interval()),
            share_text(row.precision(), row.precision_interval())};
    if (ranked) {
      const auto& auc = scores.auc->by_class[i];
      line.push_back(auc ? formatted("%.4f", *auc) : "–");
    }
    table.add(line);
  }
  return table.text();
}

std::string reliability_table(const runs::Reliability& reliability,
                              const std::vector<std::string>& classes) {
  TextTable table({fixed_right(10), kCount, kCount, kShare}, 0);
  table.add({"between", "records", "mean", "true"});
  for (const auto& bin : reliability.bins) {
    if (bin.records == 0) continue;
    table.add({formatted("%.0f", 100 * bin.from) + formatted("–%.0f %%", 100 * bin.to),
               std::to_string(bin.records), formatted("%.2f %%", 100 * bin.mean_probability),
               share_text(bin.observed(), bin.interval())});
  }
  return "probability given to " +
         (classes.size() == 2 ? "'" + classes[1] + "'" : std::string("the predicted class")) +
         ", and how often it was true\n" + table.text();
}

std::string confusion_table(const runs::ConfusionMatrix& confusion,
                            const std::vector<std::string>& classes) {
  std::size_t width = 4;
  for (const auto& row : confusion) {
    for (const auto count : row) width = std::max(width, std::to_string(count).size() + 1);
  }
  const auto label_width = widest(classes, 5);
  std::vector<TextColumn> columns(1 + classes.size(), fixed_right(width));
  columns.front() = TextColumn::fixed(label_width + 1);
  TextTable table(columns, 0);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    std::vector<std::string> line = {classes[i]};
    for (const auto count : confusion[i]) {
      line.push_back(count == 0 ? "·" : std::to_string(count));
    }
    table.add(line);
  }
  return padded("truth", label_width) + "  predicted class, in the same order\n" + table.text();
}

}  // namespace sotto::cli
