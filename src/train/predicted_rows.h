// Predictions as people and programs read them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/csv_schema.h"

namespace sotto::train {

struct PredictedRow {
  std::string file;                       // as it was named; of a folder, below it
  std::int64_t row = 0;                   // of a table, from 1; 0: a picture
  std::vector<std::string> carried = {};  // what CsvSchema::carried() names of the row
  std::size_t label = 0;
  std::vector<double> probabilities = {};  // of the classes, in their order
};

struct Predictions {
  std::vector<std::string> classes;
  std::vector<std::string> carried_names;  // of tables: ids, and the person's column
  data::TableFormat format;                // of the tables, or the standard one
  std::vector<PredictedRow> rows;
};

// "file" (pictures), the ids, or "row" where a table has none; "predicted", and "probability_CLASS"
// for every class, with six decimals. Separators and decimal signs are those of the tables.
std::string predictions_csv(const Predictions& predictions);

// {"predictions": [{"input", "ids", "label", "probabilities"}]}.
nlohmann::ordered_json predictions_json(const Predictions& predictions);

// "file" or "file:row".
std::string source_of(const PredictedRow& row);

}  // namespace sotto::train
