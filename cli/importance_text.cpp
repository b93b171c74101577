#include "cli/importance_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/text_layout.h"

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

nlohmann::ordered_json drop_json(const train::MeanDrop& drop) {
  return {{"mean", drop.mean},
          {"deviation",
           drop.deviation ? nlohmann::ordered_json(*drop.deviation) : nlohmann::ordered_json()}};
}

}  // namespace

std::string importance_text(const Importance& importance) {
  std::size_t width = 6;
  for (const auto& row : importance.columns) width = std::max(width, display_width(row.column));
  const auto repeats = importance.options.repeats;
  const std::string spread =
      repeats == 1 ? "one permutation"
                   : "mean ± standard deviation of " + std::to_string(repeats) + " permutations";
  std::string text =
      "\n" +
      labelled_paragraph(
          "Importance",
          "what the model loses when the values of a column are shuffled among the rows (" +
              spread + " of " + std::to_string(importance.rows) + " rows)") +
      "\n" + padded("column", width) + "  accuracy, points    AUC\n";
  for (const auto& row : importance.columns) {
    text += padded(row.column, width) + "  " + padded(drop_text(row.accuracy, 100, 2), 18) + "  " +
            (row.auc ? drop_text(*row.auc, 1, 4) : "–") + "\n";
  }
  return text;
}

nlohmann::ordered_json importance_json(const Importance& importance) {
  nlohmann::ordered_json json = {{"repeats", importance.options.repeats},
                                 {"seed", importance.options.seed}};
  json["columns"] = nlohmann::ordered_json::array();
  for (const auto& row : importance.columns) {
    json["columns"].push_back(
        {{"column", row.column},
         {"accuracy_drop", drop_json(row.accuracy)},
         {"auc_drop", row.auc ? drop_json(*row.auc) : nlohmann::ordered_json()}});
  }
  return json;
}

}  // namespace sotto::cli
