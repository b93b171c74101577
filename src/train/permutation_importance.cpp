#include "train/permutation_importance.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sotto/core/error.h"
#include "sotto/core/random.h"
#include "sotto/train/evaluation.h"
#include "train/scored_tensors.h"

namespace sotto::train {
namespace {

struct Quality {
  double accuracy = 0;
  std::optional<double> auc = {};
};

Quality quality_on(torch::nn::Sequential& model, const at::Tensor& inputs, const at::Tensor& labels,
                   std::int64_t classes) {
  const auto evaluation = evaluate(model, inputs, labels, classes);
  const auto auc = runs::ranking_auc(scored_records(evaluation.scores, labels));
  return {evaluation.accuracy, auc ? std::optional(auc->value) : std::nullopt};
}

// Fisher and Yates. The same words give the same order everywhere, which std::shuffle does not
// promise; the remainder's bias is below 2^-40 for any table that fits into memory.
at::Tensor random_order(std::int64_t size, RandomSource& random) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[random() % left]);
  }
  return at::tensor(order, at::kLong);
}

// (n, features), with the column's features taken from other rows.
at::Tensor permuted(const at::Tensor& inputs, const data::FeatureColumn& column,
                    RandomSource& random) {
  at::Tensor result = inputs.clone();
  const at::Tensor features = inputs.narrow(1, column.first, column.count);
  result.narrow(1, column.first, column.count)
      .copy_(features.index_select(0, random_order(inputs.size(0), random)));
  return result;
}

MeanDrop mean_drop(const std::vector<double>& drops) {
  const auto count = static_cast<double>(drops.size());
  MeanDrop result{std::accumulate(drops.begin(), drops.end(), 0.0) / count};
  if (drops.size() == 1) return result;
  double squares = 0;
  for (const double drop : drops) squares += (drop - result.mean) * (drop - result.mean);
  result.deviation = std::sqrt(squares / (count - 1));
  return result;
}

void require_all_features(const std::vector<data::FeatureColumn>& columns,
                          const at::Tensor& inputs) {
  const auto features =
      std::accumulate(columns.begin(), columns.end(), std::int64_t{0},
                      [](std::int64_t sum, const auto& column) { return sum + column.count; });
  check_argument(inputs.dim() == 2 && inputs.size(1) == features,
                 "rows do not have the features of these columns");
}

// Accuracy may not notice a column where one class is frequent; the order of records does.
bool matters_more(const ColumnImportance& one, const ColumnImportance& other) {
  if (one.auc && other.auc && one.auc->mean != other.auc->mean) {
    return one.auc->mean > other.auc->mean;
  }
  return one.accuracy.mean > other.accuracy.mean;
}

}  // namespace

std::vector<ColumnImportance> permutation_importance(
    torch::nn::Sequential& model, const TensorData& rows, std::int64_t classes,
    const std::vector<data::FeatureColumn>& columns, const ImportanceOptions& options) {
  check_argument(options.repeats >= 1, "repeats must be at least 1, got ", options.repeats);
  require_all_features(columns, rows.inputs);
  SeededRandomNotPrivate random(options.seed);
  const auto whole = quality_on(model, rows.inputs, rows.labels, classes);
  std::vector<ColumnImportance> result;
  for (const auto& column : columns) {
    std::vector<double> accuracies;
    std::vector<double> aucs;
    for (std::int64_t i = 0; i < options.repeats; ++i) {
      const auto inputs = permuted(rows.inputs, column, random);
      const auto without = quality_on(model, inputs, rows.labels, classes);
      accuracies.push_back(whole.accuracy - without.accuracy);
      if (whole.auc && without.auc) aucs.push_back(*whole.auc - *without.auc);
    }
    auto& importance = result.emplace_back(ColumnImportance{column.name, mean_drop(accuracies)});
    if (!aucs.empty()) importance.auc = mean_drop(aucs);
  }
  std::stable_sort(result.begin(), result.end(), matters_more);
  return result;
}

}  // namespace sotto::train
