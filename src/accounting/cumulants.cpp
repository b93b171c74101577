#include "accounting/cumulants.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace sotto::accounting {

namespace {

struct Moments {
  double log_total;
  double mean;
  double variance;
};

Moments tilted_moments(const std::vector<LossAtom>& atoms, double tilt) {
  double high = -1e308;
  for (const auto& atom : atoms) high = std::max(high, tilt * atom.loss);
  double total = 0;
  double first = 0;
  for (const auto& atom : atoms) {
    const double weight = atom.mass * std::exp(tilt * atom.loss - high);
    total += weight;
    first += weight * atom.loss;
  }
  const double mean = first / total;
  double second = 0;
  for (const auto& atom : atoms) {
    const double distance = atom.loss - mean;
    second += atom.mass * std::exp(tilt * atom.loss - high) * distance * distance;
  }
  return {high + std::log(total), mean, second / total};
}

constexpr double kSmallestTilt = 1e-6;
constexpr double kLargestTilt = 1e9;

// The λ at which a decreasing function crosses zero, found outwards from `guess` and then by
// bisection on ln λ; a percent is plenty for planning.
double crossing(double guess, const std::function<double(double)>& decreasing) {
  double low = std::clamp(guess, kSmallestTilt, kLargestTilt);
  double high = low;
  while (low > kSmallestTilt && decreasing(low) < 0) low /= 2;
  while (high < kLargestTilt && decreasing(high) > 0) high *= 2;
  while (high > 1.01 * low) {
    const double middle = std::sqrt(low * high);
    (decreasing(middle) > 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace

void CumulantFunction::add(std::vector<LossAtom> atoms, std::int64_t count) {
  parts_.push_back({std::move(atoms), static_cast<double>(count)});
}

void CumulantFunction::add(const LatticePld& pld, std::int64_t count) {
  std::vector<LossAtom> atoms;
  atoms.reserve(pld.atoms.size());
  for (const auto& atom : pld.atoms) atoms.push_back({pld.lattice.loss(atom.index), atom.mass});
  add(std::move(atoms), count);
}

CumulantFunction::Values CumulantFunction::at(double tilt) const {
  Values sum{0, 0, 0};
  for (const auto& part : parts_) {
    const Moments moments = tilted_moments(part.atoms, tilt);
    sum.value += part.count * moments.log_total;
    sum.mean += part.count * moments.mean;
    sum.variance += part.count * moments.variance;
  }
  return sum;
}

double CumulantFunction::value_of_part(std::size_t part, double tilt) const {
  return tilted_moments(parts_[part].atoms, tilt).log_total;
}

double approximate_log_delta(const CumulantFunction& cumulants, double tilt) {
  const auto k = cumulants.at(tilt);
  return k.value - tilt * k.mean -
         0.5 * std::log(2 * std::numbers::pi * std::max(k.variance, 1e-12)) - std::log(tilt) -
         std::log1p(tilt);
}

double tilt_for_log_delta(const CumulantFunction& cumulants, double log_delta) {
  const double variance = std::max(cumulants.at(0).variance, 1e-300);
  const double gaussian_guess = std::sqrt(std::max(1.0, -2 * log_delta) / variance);
  return crossing(gaussian_guess,
                  [&](double tilt) { return approximate_log_delta(cumulants, tilt) - log_delta; });
}

double tilt_for_epsilon(const CumulantFunction& cumulants, double epsilon) {
  const auto start = cumulants.at(0);
  const double gaussian_guess = (epsilon - start.mean) / std::max(start.variance, 1e-300);
  return crossing(std::max(gaussian_guess, kSmallestTilt),
                  [&](double tilt) { return epsilon - cumulants.at(tilt).mean; });
}

}  // namespace sotto::accounting
