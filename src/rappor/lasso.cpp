#include "rappor/lasso.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sotto::rappor {

namespace {

class NonnegativeLasso {
 public:
  NonnegativeLasso(const DesignMatrix& design, const Cells& cells)
      : design_(design),
        weights_(cells.weights),
        residual_(cells.shares),
        norms_(static_cast<std::size_t>(design.cols())),
        coefficients_(static_cast<std::size_t>(design.cols())) {
    for (Eigen::Index column = 0; column < design.cols(); ++column) {
      double sum = 0;
      for (DesignMatrix::InnerIterator entry(design, column); entry; ++entry) {
        sum += weights_[entry.row()];
      }
      norms_[static_cast<std::size_t>(column)] = std::sqrt(sum);
    }
    fit_constant();
  }

  // The largest partial z: no candidate is selected at a λ above it.
  double largest_score() const {
    double largest = 0;
    for (std::size_t s = 0; s < norms_.size(); ++s) largest = std::max(largest, score(s));
    return largest;
  }

  // Minimises at this λ, from where the last one ended.
  void solve(double lambda) {
    std::vector<std::size_t> all(norms_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    constexpr int kMostRounds = 100;
    for (int round = 0; round < kMostRounds; ++round) {
      if (sweep(all, lambda) < kTolerance) return;
      const auto active = selected();
      for (int inner = 0; inner < kMostRounds && sweep(active, lambda) > kTolerance;) ++inner;
    }
  }

  std::vector<std::size_t> selected() const {
    std::vector<std::size_t> result;
    for (std::size_t s = 0; s < coefficients_.size(); ++s) {
      if (coefficients_[s] > 0) result.push_back(s);
    }
    return result;
  }

 private:
  static constexpr double kTolerance = 0.01;  // standard errors

  double score(std::size_t s) const {
    if (norms_[s] == 0) return 0;
    double product = 0;
    for (DesignMatrix::InnerIterator entry(design_, static_cast<Eigen::Index>(s)); entry; ++entry) {
      product += weights_[entry.row()] * residual_[entry.row()];
    }
    return product / norms_[s];
  }

  // One round over the coordinates; the largest change, in standard errors.
  double sweep(const std::vector<std::size_t>& coordinates, double lambda) {
    double largest = 0;
    for (const auto s : coordinates) {
      if (norms_[s] == 0) continue;
      const double wanted = std::max(0.0, coefficients_[s] + (score(s) - lambda) / norms_[s]);
      const double change = wanted - coefficients_[s];
      if (change == 0) continue;
      coefficients_[s] = wanted;
      for (DesignMatrix::InnerIterator entry(design_, static_cast<Eigen::Index>(s)); entry;
           ++entry) {
        residual_[entry.row()] -= change;
      }
      largest = std::max(largest, std::abs(change) * norms_[s]);
    }
    fit_constant();
    return largest;
  }

  // Strings that are not candidates raise all bits alike.
  void fit_constant() {
    const double mean = weights_.dot(residual_) / weights_.sum();
    const double wanted = std::max(0.0, constant_ + mean);
    residual_.array() -= wanted - constant_;
    constant_ = wanted;
  }

  const DesignMatrix& design_;
  const Eigen::VectorXd& weights_;
  Eigen::VectorXd residual_;
  std::vector<double> norms_;
  std::vector<double> coefficients_;
  double constant_ = 0;
};

}  // namespace

std::vector<std::size_t> lasso_selection(const DesignMatrix& design, const Cells& cells,
                                         std::size_t most) {
  NonnegativeLasso lasso(design, cells);
  std::vector<std::size_t> selection;
  constexpr double kStep = 0.9;
  double lambda = lasso.largest_score() * kStep;
  while (lambda > 1) {
    lasso.solve(lambda);
    auto selected = lasso.selected();
    if (selected.size() > most) break;
    selection = std::move(selected);
    lambda *= kStep;
  }
  return selection;
}

}  // namespace sotto::rappor
