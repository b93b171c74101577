#include "runs/scored_records.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sotto::runs {

bool ScoredRecords::all_finite() const {
  return std::all_of(scores.begin(), scores.end(),
                     [](double score) { return std::isfinite(score); });
}

std::vector<double> ScoredRecords::probabilities(std::size_t record) const {
  const auto row = scores_of(record);
  const double largest = *std::max_element(row.begin(), row.end());
  std::vector<double> result;
  double sum = 0;
  for (const double score : row) sum += result.emplace_back(std::exp(score - largest));
  for (double& probability : result) probability /= sum;
  return result;
}

double ScoredRecords::log_odds(std::size_t record, std::size_t of_class) const {
  const auto row = scores_of(record);
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < classes; ++i) {
    if (i != of_class) largest = std::max(largest, row[i]);
  }
  double others = 0;
  for (std::size_t i = 0; i < classes; ++i) {
    if (i != of_class) others += std::exp(row[i] - largest);
  }
  return row[of_class] - (largest + std::log(others));
}

}  // namespace sotto::runs
