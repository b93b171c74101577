#include "rappor/least_squares.h"

#include <algorithm>
#include <utility>

namespace sotto::rappor {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Pivots, relative to the column's own norm, below which it is a combination of others.
constexpr double kDependent = 1e-9;

// The chosen columns; a last one of ones if there is a constant.
DesignMatrix chosen_columns(const DesignMatrix& design, const std::vector<std::size_t>& candidates,
                            bool constant) {
  const auto count = static_cast<Index>(candidates.size());
  DesignMatrix chosen(design.rows(), count + (constant ? 1 : 0));
  for (Index column = 0; column < count; ++column) {
    chosen.startVec(column);
    const auto source = static_cast<Index>(candidates[static_cast<std::size_t>(column)]);
    for (DesignMatrix::InnerIterator entry(design, source); entry; ++entry) {
      chosen.insertBack(entry.row(), column) = 1;
    }
  }
  if (constant) {
    chosen.startVec(count);
    for (Index row = 0; row < design.rows(); ++row) chosen.insertBack(row, count) = 1;
  }
  chosen.finalize();
  return chosen;
}

MatrixXd normal_matrix(const DesignMatrix& columns, const VectorXd& weights) {
  const DesignMatrix weighted = weights.asDiagonal() * columns;
  return MatrixXd(DesignMatrix(columns.transpose() * weighted));
}

// Positions of columns that depend on others.
std::vector<std::size_t> dependent_columns(const MatrixXd& normal) {
  const VectorXd scale = normal.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = scale.asDiagonal() * normal * scale.asDiagonal();
  const Eigen::LDLT<MatrixXd> factors(scaled);  // with pivoting
  const int size = static_cast<int>(normal.rows());
  Eigen::VectorXi order = Eigen::VectorXi::LinSpaced(size, 0, size - 1);
  order = (factors.transpositionsP() * order).eval();
  std::vector<std::size_t> dependent;
  for (int i = 0; i < size; ++i) {
    if (factors.vectorD()[i] < kDependent) dependent.push_back(static_cast<std::size_t>(order[i]));
  }
  std::sort(dependent.begin(), dependent.end());
  return dependent;
}

// Variance of each row's function of a sample of one, drawn from `shares`.
VectorXd sampling_variances(const MatrixXd& functions, const VectorXd& shares) {
  const VectorXd means = functions * shares;
  return functions.cwiseAbs2() * shares - means.cwiseAbs2();
}

}  // namespace

FrequencyFit::FrequencyFit(const DesignMatrix& design, const Cells& cells,
                           std::vector<std::size_t> candidates)
    : cells_(cells), candidates_(std::move(candidates)) {
  bool constant = 2 * (candidates_.size() + 1) <= static_cast<std::size_t>(design.rows());
  columns_ = chosen_columns(design, candidates_, constant);
  const auto dependent = dependent_columns(normal_matrix(columns_, cells.weights));
  for (auto column = dependent.rbegin(); column != dependent.rend(); ++column) {
    if (*column == candidates_.size()) {
      constant = false;
      continue;
    }
    dependent_.push_back(candidates_[*column]);
    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(*column));
  }
  if (!dependent.empty()) columns_ = chosen_columns(design, candidates_, constant);
  solve();
  measure_dispersion();
}

void FrequencyFit::solve() {
  const MatrixXd normal = normal_matrix(columns_, cells_.weights);
  const Eigen::LLT<MatrixXd> factors(normal);
  inverse_ = factors.solve(MatrixXd::Identity(normal.rows(), normal.cols()));
  coefficients_ = inverse_ * (columns_.transpose() * cells_.weights.cwiseProduct(cells_.shares));
}

void FrequencyFit::measure_dispersion() {
  const VectorXd fitted = columns_ * coefficients_;
  const VectorXd shares = fitted.cwiseMax(0).cwiseMin(1);
  response_errors_ = response_variances(cells_, shares);
  const VectorXd composition =
      shares.array() * (1 - shares.array()) * (1 / cells_.reports.array() - 1 / cells_.total);
  const VectorXd expected = response_errors_ + composition;
  degrees_of_freedom_ = static_cast<std::size_t>(columns_.rows() - columns_.cols());
  if (degrees_of_freedom_ == 0) return;
  const double sum = ((cells_.shares - fitted).array().square() / expected.array()).sum();
  dispersion_ = sum / static_cast<double>(degrees_of_freedom_);
}

VectorXd FrequencyFit::frequencies() const {
  return coefficients_.head(static_cast<Index>(candidates_.size()));
}

VectorXd FrequencyFit::variances() const {
  return variances_of(MatrixXd::Identity(static_cast<Index>(candidates_.size()), columns_.cols()));
}

double FrequencyFit::variance_of_sum(const VectorXd& which) const {
  MatrixXd function = MatrixXd::Zero(1, columns_.cols());
  function.row(0).head(which.size()) = which.transpose();
  return variances_of(function)[0];
}

VectorXd FrequencyFit::variances_of(const MatrixXd& functions) const {
  const DesignMatrix weighted = (cells_.weights.asDiagonal() * columns_).transpose();
  const MatrixXd of_cells = (functions * inverse_) * weighted;
  VectorXd shares = coefficients_.cwiseMax(0);
  shares.tail(columns_.cols() - static_cast<Index>(candidates_.size())).setZero();
  VectorXd sum = std::max(1.0, dispersion_) * (of_cells.cwiseAbs2() * response_errors_);
  for (Index first = 0; first < columns_.rows(); first += cells_.bits) {
    const DesignMatrix cohort = columns_.middleRows(first, cells_.bits);
    const MatrixXd of_shares = of_cells.middleCols(first, cells_.bits) * cohort;
    sum += sampling_variances(of_shares, shares) / cells_.reports[first];
  }
  sum -= sampling_variances(functions, shares) / cells_.total;
  return sum.cwiseMax(0);
}

}  // namespace sotto::rappor
