#include "cli/importance_text.h"

#include <cmath>
#include <cstdio>

#include "cli/text_layout.h"
#include "cli/text_table.h"
#include "core/counted.h"

namespace sotto::cli {
namespace {

std::string decimals(double value, int count) {
  char text[48];
  const double unit = std::pow(10, -count);
  const double shown = std::abs(value) < unit / 2 ? 0 : value;  // no "-0.00"
  std::snprintf(text, sizeof text, "%.*f", count, shown);
  return text;
}

std::string drop_text(const train::MeanDrop& drop, double scale, int count) {
  const auto mean = decimals(scale * drop.mean, count);
  return drop.deviation ? mean + " ± " + decimals(scale * *drop.deviation, count) : mean;
}

}  // namespace

std::string importance_text(const train::Importance& importance) {
  const auto repeats = importance.options.repeats;
  const std::string spread =
      repeats == 1 ? "one permutation"
                   : "mean ± standard deviation of " + std::to_string(repeats) + " permutations";
  TextTable table({{}, TextColumn::fixed(18)});
  table.add({"column", "accuracy, points", "AUC"});
  for (const auto& row : importance.columns) {
    table.add(
        {row.column, drop_text(row.accuracy, 100, 2), row.auc ? drop_text(*row.auc, 1, 4) : "–"});
  }
  return "\n" +
         labelled_paragraph("Importance",
                            "what the model loses when the values of a column are shuffled among "
                            "the rows (" +
                                spread + " of " + counted(importance.rows, "row") + ")") +
         "\n" + table.text();
}

}  // namespace sotto::cli
