#include "rappor/cells.h"

#include <algorithm>

#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Of noiseless reports (p* = 0, q* = 1), so that weights stay finite.
constexpr double kLeastVariance = 1e-12;

// One weight a cohort: single cells' variances are too uncertain, and differ little.
VectorXd cohort_weights(const Cells& cells) {
  const VectorXd variances = response_variances(cells, cells.shares.cwiseMax(0).cwiseMin(1));
  VectorXd weights(variances.size());
  for (Index first = 0; first < weights.size(); first += cells.bits) {
    weights.segment(first, cells.bits)
        .setConstant(1 / std::max(variances.segment(first, cells.bits).mean(), kLeastVariance));
  }
  return weights;
}

std::vector<std::uint32_t> cohorts_with_reports(const Counts& counts) {
  std::vector<std::uint32_t> cohorts;
  for (std::uint32_t cohort = 0; cohort < counts.cohorts(); ++cohort) {
    if (counts.reports(cohort) > 0) cohorts.push_back(cohort);
  }
  return cohorts;
}

}  // namespace

Cells observed_cells(const Counts& counts, const Params& params) {
  Cells cells;
  cells.rates = reported_rates(params);
  const double difference = cells.rates.q_star - cells.rates.p_star;
  check_argument(difference != 0, "reports carry no information: p = q, or f = 1");
  cells.bits = params.bits();
  cells.total = static_cast<double>(counts.total());
  cells.of.assign(params.cells(), -1);
  const auto cohorts = cohorts_with_reports(counts);
  cells.shares.resize(static_cast<Index>(cohorts.size() * params.bits()));
  cells.reports.resize(cells.shares.size());
  Index cell = 0;
  for (const auto cohort : cohorts) {
    const auto reports = static_cast<double>(counts.reports(cohort));
    for (std::uint32_t bit = 0; bit < params.bits(); ++bit, ++cell) {
      const double rate = static_cast<double>(counts.ones(cohort, bit)) / reports;
      cells.shares[cell] = (rate - cells.rates.p_star) / difference;
      cells.reports[cell] = reports;
      cells.of[cohort * params.bits() + bit] = static_cast<std::int32_t>(cell);
    }
  }
  cells.weights = cohort_weights(cells);
  return cells;
}

VectorXd response_variances(const Cells& cells, const VectorXd& true_shares) {
  const auto [p_star, q_star] = cells.rates;
  const double if_zero = p_star * (1 - p_star);
  const double if_one = q_star * (1 - q_star);
  const double difference = q_star - p_star;
  return (if_zero + true_shares.array() * (if_one - if_zero)).cwiseMax(kLeastVariance) /
         (cells.reports.array() * difference * difference);
}

DesignMatrix design_matrix(const CandidateMap& map, const Cells& cells) {
  DesignMatrix matrix(cells.shares.size(), static_cast<Index>(map.size()));
  std::vector<std::int32_t> rows;
  for (std::size_t candidate = 0; candidate < map.size(); ++candidate) {
    rows.clear();
    for (const auto cell : map.cells(candidate)) {
      if (cells.of[cell] >= 0) rows.push_back(cells.of[cell]);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());  // two hashes, one bit
    const auto column = static_cast<Index>(candidate);
    matrix.startVec(column);
    for (const auto row : rows) matrix.insertBack(row, column) = 1;
  }
  matrix.finalize();
  return matrix;
}

}  // namespace sotto::rappor
