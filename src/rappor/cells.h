// The observations: one a (cohort, bit) pair of every cohort that has reports.
#pragma once

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <vector>

#include "rappor/candidate_map.h"
#include "rappor/counts.h"

namespace sotto::rappor {

struct Cells {
  ReportedRates rates{};
  std::uint32_t bits = 0;        // cells of a cohort, one after the other
  double total = 0;              // reports of all cohorts
  Eigen::VectorXd shares;        // unbiased share of the cohort's reports whose value sets the bit
  Eigen::VectorXd reports;       // of the cell's cohort
  Eigen::VectorXd weights;       // for least squares: 1 / mean variance of the cohort's shares
  std::vector<std::int32_t> of;  // cohort · k + bit -> cell, or -1
};

// Erlingsson et al. 2014, section 4: t = (c - p* N) / (q* - p*), over N. Throws InvalidArgument if
// p* = q*.
Cells observed_cells(const Counts& counts, const Params& params);

// Variances of the observed shares by the randomised responses, given the true ones: a bit is 1
// with probability q* or p*, independently of all others.
Eigen::VectorXd response_variances(const Cells& cells, const Eigen::VectorXd& true_shares);

// 1 where the candidate sets the cell's bit. Rows: cells; columns: candidates.
using DesignMatrix = Eigen::SparseMatrix<double>;
DesignMatrix design_matrix(const CandidateMap& map, const Cells& cells);

}  // namespace sotto::rappor
