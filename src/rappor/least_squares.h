// Frequencies of the selected candidates, and their variances.
#pragma once

#include <vector>

#include "rappor/cells.h"

namespace sotto::rappor {

// Weighted least squares of the cells' shares on the chosen columns of the design, and on a
// constant where there are cells enough to tell it apart: strings that are not candidates raise all
// bits alike, on average.
class FrequencyFit {
 public:
  FrequencyFit(const DesignMatrix& design, const Cells& cells, std::vector<std::size_t> candidates);

  // Columns of the design that were fitted, and those left out as combinations of others.
  const std::vector<std::size_t>& candidates() const { return candidates_; }
  const std::vector<std::size_t>& dependent() const { return dependent_; }

  // Of each fitted candidate.
  Eigen::VectorXd frequencies() const;
  Eigen::VectorXd variances() const;
  // Of the sum of those fitted candidates whose entry is 1 rather than 0.
  double variance_of_sum(const Eigen::VectorXd& which) const;

  // Residual variance over the expected one.
  double dispersion() const { return dispersion_; }
  std::size_t degrees_of_freedom() const { return degrees_of_freedom_; }

 private:
  void solve();
  void measure_dispersion();
  // Of linear functions of the coefficients, one a row: the variance by
  //  - the randomised responses, independent from cell to cell, widened by the dispersion if that
  //    is above 1 (strings that are not candidates fall on some bits more than on others), and by
  //  - the cohorts' composition: each is a sample, without replacement, of all who reported.
  Eigen::VectorXd variances_of(const Eigen::MatrixXd& functions) const;

  const Cells& cells_;
  std::vector<std::size_t> candidates_;
  std::vector<std::size_t> dependent_;
  DesignMatrix columns_;             // chosen ones, then the constant
  Eigen::MatrixXd inverse_;          // of XᵀWX
  Eigen::VectorXd coefficients_;     // frequencies, then the constant
  Eigen::VectorXd response_errors_;  // variance of each cell's share by the randomised responses
  double dispersion_ = 1;
  std::size_t degrees_of_freedom_ = 0;
};

}  // namespace sotto::rappor
