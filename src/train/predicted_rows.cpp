#include "train/predicted_rows.h"

#include <algorithm>
#include <cmath>

#include "core/csv_field.h"
#include "core/printed_number.h"

namespace sotto::train {
namespace {

constexpr int kProbabilityDecimals = 6;  // what single precision is good for

class PredictedLine {
 public:
  explicit PredictedLine(char separator) : separator_(separator) {}
  void add(const std::string& field) {
    if (!first_) text_ += separator_;
    first_ = false;
    text_ += csv_field(field, separator_);
  }
  const std::string& text() const { return text_; }

 private:
  char separator_;
  bool first_ = true;
  std::string text_;
};

// Which columns stand before the prediction.
struct RowNames {
  bool file;
  bool row;
};

RowNames names_for(const Predictions& predictions) {
  const auto& rows = predictions.rows;
  const auto is_table = [](const PredictedRow& row) { return row.row > 0; };
  const bool one_file = std::all_of(rows.begin(), rows.end(),
                                    [&](const auto& row) { return row.file == rows.front().file; });
  const bool tables = std::any_of(rows.begin(), rows.end(), is_table);
  const bool pictures = !std::all_of(rows.begin(), rows.end(), is_table);
  return {pictures || !one_file, tables && predictions.carried_names.empty()};
}

std::string probability_text(double probability, char decimal) {
  auto text = with_decimals(probability, kProbabilityDecimals);
  std::replace(text.begin(), text.end(), '.', decimal);
  return text;
}

}  // namespace

std::string source_of(const PredictedRow& row) {
  return row.row == 0 ? row.file : row.file + ":" + std::to_string(row.row);
}

std::string predictions_csv(const Predictions& predictions) {
  const auto names = names_for(predictions);
  const auto& format = predictions.format;
  PredictedLine header(format.separator);
  if (names.file) header.add("file");
  if (names.row) header.add("row");
  for (const auto& name : predictions.carried_names) header.add(name);
  header.add("predicted");
  for (const auto& name : predictions.classes) header.add("probability_" + name);
  std::string text = header.text() + "\n";
  for (const auto& row : predictions.rows) {
    PredictedLine line(format.separator);
    if (names.file) line.add(row.file);
    if (names.row) line.add(row.row == 0 ? "" : std::to_string(row.row));
    for (const auto& field : row.carried) line.add(field);
    line.add(predictions.classes[row.label]);
    for (const auto probability : row.probabilities) {
      line.add(probability_text(probability, format.decimal));
    }
    text += line.text() + "\n";
  }
  return text;
}

nlohmann::ordered_json predictions_json(const Predictions& predictions) {
  const double scale = std::pow(10, kProbabilityDecimals);
  auto list = nlohmann::ordered_json::array();
  for (const auto& row : predictions.rows) {
    nlohmann::ordered_json entry{{"input", source_of(row)}};
    for (std::size_t i = 0; i < row.carried.size(); ++i) {
      entry["ids"][predictions.carried_names[i]] = row.carried[i];
    }
    entry["label"] = predictions.classes[row.label];
    for (std::size_t i = 0; i < row.probabilities.size(); ++i) {
      entry["probabilities"][predictions.classes[i]] =
          std::round(row.probabilities[i] * scale) / scale;
    }
    list.push_back(entry);
  }
  return {{"predictions", list}};
}

}  // namespace sotto::train
