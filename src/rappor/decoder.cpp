#include "rappor/decoder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/normal.h"
#include "rappor/cells.h"
#include "rappor/lasso.h"
#include "rappor/least_squares.h"
#include "rappor/significance.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

void check_input(const Counts& counts, const Params& params, const CandidateMap& map,
                 const DecodeOptions& options) {
  check_argument(counts.bits() == params.bits() && counts.cohorts() == params.cohorts(),
                 "counts of k = ", counts.bits(), ", m = ", counts.cohorts(),
                 " do not fit the parameters");
  check_argument(map.bits() == params.bits() && map.cohorts() == params.cohorts(),
                 "a map of k = ", map.bits(), ", m = ", map.cohorts(),
                 " does not fit the parameters");
  check_argument(counts.total() > 0, "there are no reports");
  check_argument(options.alpha > 0 && options.alpha < 1, "α must be between 0 and 1, got ",
                 options.alpha);
  check_argument(options.confidence > 0 && options.confidence < 1,
                 "confidence must be between 0 and 1, got ", options.confidence);
}

// All candidates where least squares can bear them; unbiased then, whatever is true.
std::vector<std::size_t> candidates_to_fit(const DesignMatrix& design, const Cells& cells,
                                           bool disjoint) {
  constexpr std::size_t kMostFitted = 1000;
  const auto count = static_cast<std::size_t>(design.cols());
  const auto rows = static_cast<std::size_t>(design.rows());
  const std::size_t most = std::min(
      std::max({rows / 4, std::min<std::size_t>(rows / 2, 16), std::size_t{1}}), kMostFitted);
  if (!disjoint && count > most) return lasso_selection(design, cells, most);
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// Each candidate has bits of its own: least squares is a division.
bool has_disjoint_columns(const DesignMatrix& design) {
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(design.cols());
  return (design * ones).maxCoeff() <= 1;
}

std::vector<Estimate> estimates_of(const FrequencyFit& fit, double confidence) {
  const Eigen::VectorXd frequencies = fit.frequencies();
  const Eigen::VectorXd variances = fit.variances();
  const double z = normal_upper_quantile((1 - confidence) / 2);
  std::vector<Estimate> estimates;
  for (Eigen::Index i = 0; i < frequencies.size(); ++i) {
    const double error = std::sqrt(variances[i]);
    estimates.push_back({.candidate = fit.candidates()[static_cast<std::size_t>(i)],
                         .frequency = frequencies[i],
                         .standard_error = error,
                         .low = frequencies[i] - z * error,
                         .high = frequencies[i] + z * error,
                         .p_value = normal_cdf(-frequencies[i] / error)});
  }
  return estimates;
}

double median_error(const std::vector<Estimate>& estimates) {
  std::vector<double> errors;
  errors.reserve(estimates.size());
  for (const auto& estimate : estimates) errors.push_back(estimate.standard_error);
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::nth_element(errors.begin(), middle, errors.end());
  return *middle;
}

void mark_found(Decoding& decoding, const DecodeOptions& options) {
  std::vector<double> p_values;
  p_values.reserve(decoding.estimates.size());
  for (const auto& estimate : decoding.estimates) p_values.push_back(estimate.p_value);
  const double level =
      significance_level(p_values, decoding.candidates, options.alpha, options.correction);
  for (auto& estimate : decoding.estimates) {
    estimate.found = estimate.p_value <= level;
    decoding.found += estimate.found ? 1 : 0;
  }
  if (!decoding.estimates.empty()) {
    decoding.detection_limit = normal_upper_quantile(level) * median_error(decoding.estimates);
  }
}

void measure_unknown(Decoding& decoding, const FrequencyFit& fit) {
  Eigen::VectorXd found(static_cast<Eigen::Index>(decoding.estimates.size()));
  double sum = 0;
  for (std::size_t i = 0; i < decoding.estimates.size(); ++i) {
    found[static_cast<Eigen::Index>(i)] = decoding.estimates[i].found ? 1 : 0;
    if (decoding.estimates[i].found) sum += decoding.estimates[i].frequency;
  }
  decoding.unknown_mass = 1 - sum;
  decoding.unknown_mass_error = std::sqrt(fit.variance_of_sum(found));
}

}  // namespace

Decoding decode(const Counts& counts, const Params& params, const CandidateMap& map,
                const DecodeOptions& options) {
  check_input(counts, params, map, options);
  const Cells cells = observed_cells(counts, params);
  const DesignMatrix design = design_matrix(map, cells);
  const FrequencyFit fit(design, cells,
                         candidates_to_fit(design, cells, has_disjoint_columns(design)));
  Decoding decoding;
  decoding.reports = counts.total();
  decoding.candidates = map.size();
  decoding.estimates = estimates_of(fit, options.confidence);
  decoding.dispersion = fit.dispersion();
  decoding.degrees_of_freedom = fit.degrees_of_freedom();
  decoding.indistinguishable = fit.dependent();
  mark_found(decoding, options);
  measure_unknown(decoding, fit);
  std::sort(
      decoding.estimates.begin(), decoding.estimates.end(),
      [](const Estimate& left, const Estimate& right) { return left.frequency > right.frequency; });
  return decoding;
}

}  // namespace sotto::rappor
