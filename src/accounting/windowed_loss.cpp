#include "accounting/windowed_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/unit_roundoff.h"

namespace sotto::accounting {

WindowedLoss::WindowedLoss(Side side, double mesh, double first_loss, std::vector<double> masses,
                           double charge)
    : mesh_(mesh),
      first_loss_(first_loss),
      charge_(charge),
      mass_from_(std::move(masses)),
      damped_from_(mass_from_.size()) {
  const double damping = std::exp(-mesh_);
  for (std::size_t i = mass_from_.size(); i-- > 0;) {
    const bool last = i + 1 == mass_from_.size();
    damped_from_[i] = mass_from_[i] + (last ? 0 : damping * damped_from_[i + 1]);
    mass_from_[i] += last ? 0 : mass_from_[i + 1];
  }
  // n sums of positive numbers err by a factor of (1 + u)^n, damping included by (1 + u)^{4n}; the
  // last operations of δ by a few u more. δ grows with the first sum and falls with the second.
  const auto cells = static_cast<double>(mass_from_.size());
  const double rounding = (4 * cells + 32) * kUnitRoundoff * (side == Side::kUpper ? 1 : -1);
  for (auto& mass : mass_from_) mass *= 1 + rounding;
  for (auto& damped : damped_from_) damped *= 1 - rounding;
}

double WindowedLoss::delta(double epsilon) const {
  // The first cell above ε carries all that counts: Σ m - e^{ε - its loss} Σ m e^{its loss - loss}.
  const double next = std::max(std::floor((epsilon - first_loss_) / mesh_) + 1, 0.0);
  if (next >= static_cast<double>(mass_from_.size())) return std::max(charge_, 0.0);
  const auto i = static_cast<std::size_t>(next);
  const double below = epsilon - first_loss_ - mesh_ * next;
  return std::max(mass_from_[i] - std::exp(below) * damped_from_[i], 0.0) + charge_;
}

double WindowedLoss::epsilon(double delta) const {
  const double target = delta - charge_;
  if (!(target >= 0)) return std::numeric_limits<double>::infinity();
  // The first cell at whose loss δ is small enough; δ decreases from cell to cell. A cell's own
  // mass does not count there, and must not be added and subtracted: it may be huge.
  const double damping = std::exp(-mesh_);
  std::size_t low = 0;
  std::size_t high = mass_from_.size() - 1;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (mass_from_[middle + 1] - damping * damped_from_[middle + 1] <= target) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const double here = first_loss_ + mesh_ * static_cast<double>(high);
  if (high == 0) return here;
  // Between the cell before and this one, δ = mass_from - e^{ε - here} damped_from.
  const double excess = mass_from_[high] - target;
  const double before = here - mesh_;
  if (!(excess > 0)) return before;
  return std::clamp(here + std::log(excess / damped_from_[high]), before, here);
}

}  // namespace sotto::accounting
