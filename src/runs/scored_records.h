// Records with what a classifier makes of them, class by class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sotto::runs {

struct ScoredRecords {
  std::size_t classes = 0;
  std::vector<double> scores = {};        // (n, classes), row-major: before the softmax
  std::vector<std::int64_t> labels = {};  // (n), true classes

  std::size_t size() const { return labels.size(); }
  std::span<const double> scores_of(std::size_t record) const {
    return std::span(scores).subspan(record * classes, classes);
  }
  // A network that diverged gives scores that are not.
  bool all_finite() const;
  // How likely each class is: the softmax of the record's scores.
  std::vector<double> probabilities(std::size_t record) const;
  // ln p / (1 - p) for one class, exact where p itself rounds to 0 or 1: what records are ranked
  // by.
  double log_odds(std::size_t record, std::size_t of_class) const;
};

}  // namespace sotto::runs
