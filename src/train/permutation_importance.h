// How much a model owes to each column of a table: what it loses when the column's values are dealt
// out to other rows (Breiman 2001). Computed from rows without noise: for public ones only.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data/feature_columns.h"
#include "train/tensor_data.h"

namespace sotto::train {

struct MeanDrop {
  double mean = 0;
  std::optional<double> deviation = {};  // sample standard deviation; nothing of a single repeat
};

struct ColumnImportance {
  std::string column;
  MeanDrop accuracy = {};            // what is lost; below 0 where the model does better without
  std::optional<MeanDrop> auc = {};  // nothing where there is no AUC
};

struct ImportanceOptions {
  std::int64_t repeats = 5;  // permutations of each column, at least 1
  std::uint64_t seed = 0;    // the same one gives the same permutations
};

// rows.inputs (n, features), n >= 1. All features of a column move together. Largest loss of AUC
// first, or of accuracy where there is no AUC. Throws InvalidArgument if `columns` are not of these
// features.
std::vector<ColumnImportance> permutation_importance(
    torch::nn::Sequential& model, const TensorData& rows, std::int64_t classes,
    const std::vector<data::FeatureColumn>& columns, const ImportanceOptions& options);

struct Importance {
  ImportanceOptions options = {};
  std::int64_t rows = 0;
  std::vector<ColumnImportance> columns = {};  // what matters most first
};

nlohmann::ordered_json importance_json(const Importance& importance);

}  // namespace sotto::train
