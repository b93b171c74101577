#include "accounting/directed_composition.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sotto::accounting {

namespace {

constexpr int kAttempts = 9;
// How far below the saddle point's estimate, relatively, ε is looked for at first.
constexpr double kMargin = 0.03;
// The part of the wanted width that charges for aliasing and truncation may use up.
constexpr double kChargedShare = 0.02;

}  // namespace

DirectedComposition::DirectedComposition(std::vector<RepeatedSource> parts, double smallest_delta,
                                         std::size_t max_transform_size)
    : parts_(std::move(parts)),
      smallest_delta_(smallest_delta),
      max_transform_size_(max_transform_size) {
  for (const auto& part : parts_) steps_ += static_cast<double>(part.count);
  // Tails that even all steps together cannot feel: they would only blow up the cumulants.
  const double coarse_tail = std::max(smallest_delta * 1e-9 / steps_, 1e-300);
  for (const auto& part : parts_) {
    coarse_.push_back(part.source->coarse(coarse_tail));
    cumulants_.add(coarse_.back(), part.count);
    if (!part.source->is_discrete()) smooth_steps_ += static_cast<double>(part.count);
    highest_loss_ += static_cast<double>(part.count) * part.source->highest_loss();
    if (aligned_span_ == 0) aligned_span_ = part.source->aligned_span();
  }
}

double DirectedComposition::mesh_for(double absolute_width, double tilt, double deviation) const {
  // Connecting dots adds up to h²/6 to the variance of a step, chords take h²/12 away; ε moves by
  // λ/2 times the change of the composed variance.
  const double from_width =
      std::sqrt(8 * 0.45 * absolute_width / (tilt * std::max(smooth_steps_, 1.0)));
  // Finer than the features of the composed loss, as far as δ can see them.
  return std::min(from_width, std::max(deviation, 1 / tilt) / 8);
}

double DirectedComposition::fitted_mesh(double mesh, double window_width) const {
  mesh = std::max(mesh, window_width / static_cast<double>(max_transform_size_ - 2));
  if (aligned_span_ == 0) return mesh;
  if (smooth_steps_ == 0) {
    if (const double common = common_mesh(); common > 0) return common;
  }
  return aligned_span_ / std::ceil(aligned_span_ / mesh);
}

double DirectedComposition::common_mesh() const {
  constexpr int kLargestDivisor = 64;
  for (int divisor = 1; divisor <= kLargestDivisor; ++divisor) {
    const double mesh = aligned_span_ / divisor;
    const bool divides_all = std::all_of(parts_.begin(), parts_.end(), [&](const auto& part) {
      const double cells = part.source->aligned_span() / mesh;
      return std::abs(cells - std::round(cells)) <= Lattice::kSnap * (1 + cells);
    });
    if (divides_all) return mesh;
  }
  return 0;
}

std::optional<ComposedBracket> DirectedComposition::bracket(const Aim& aim) const {
  const Window window = plan_window(cumulants_, {aim.tilt, aim.low, aim.tolerated_mass, steps_});
  if (!(window.width > 0) || !std::isfinite(window.width)) return std::nullopt;
  const double mesh = fitted_mesh(aim.mesh, window.width);
  const double cells = window.width / mesh;
  if (!(cells <= 2 * static_cast<double>(max_transform_size_))) return std::nullopt;
  const double tail_mass = std::max(aim.tolerated_mass / (4 * steps_), 1e-290);
  std::vector<double> tilts{window.tilt};
  tilts.insert(tilts.end(), aim.more_tilts.begin(), aim.more_tilts.end());
  std::vector<BracketedEvent> events;
  for (std::size_t j = 0; j < parts_.size(); ++j) {
    const LossSource& source = *parts_[j].source;
    const Lattice lattice(mesh, source.offset(mesh));
    const BinWidths widths(coarse_[j], tilts);
    events.push_back({source.upper(lattice, widths, tail_mass),
                      source.lower(lattice, widths, tail_mass), parts_[j].count});
  }
  return compose(events, window);
}

double DirectedComposition::approximate_epsilon(double delta) const {
  return cumulants_.at(tilt_for_log_delta(cumulants_, std::log(delta))).mean;
}

double DirectedComposition::tilt_at(double epsilon) const {
  const double tilt = std::min(tilt_for_epsilon(cumulants_, epsilon),
                               tilt_for_log_delta(cumulants_, std::log(smallest_delta_)));
  if (std::isinf(highest_loss_)) return tilt;
  // Close to the largest loss, its distance sets the scale.
  return std::min(tilt, 30 / std::max(highest_loss_ - epsilon, 1e-6 * (1 + epsilon)));
}

double DirectedComposition::approximate_delta(double epsilon) const {
  return std::clamp(std::exp(approximate_log_delta(cumulants_, tilt_at(epsilon))), smallest_delta_,
                    1.0);
}

Enclosure DirectedComposition::epsilon(double delta, double relative_width) const {
  double tilt = tilt_for_log_delta(cumulants_, std::log(delta));
  // Near a largest possible loss δ falls so steeply that λ would grow without end. It is steep
  // enough when a factor of e in δ is a thirtieth of the wanted width, and must not be so steep
  // that δ overflows within the margin below.
  const double steep = std::max(cumulants_.at(tilt).mean, 1e-9);
  tilt = std::min({tilt, 30 / (relative_width * steep), 200 / (kMargin * steep)});
  const auto saddle = cumulants_.at(tilt);
  const double deviation = std::sqrt(saddle.variance);
  double guess = std::max(saddle.mean, 0.0);
  double margin = kMargin * guess + 0.1 * deviation;
  // A charge of c·δ moves ε by about c/λ.
  const double scale = std::max(guess, deviation / 4);
  Aim aim{tilt, 0, deviation, kChargedShare * delta * std::min(relative_width * scale * tilt, 1.0),
          0};
  aim.mesh = mesh_for(relative_width * scale, tilt, deviation);

  Enclosure best{0, highest_loss_};
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    aim.low = std::max(guess - margin, 0.0);
    const auto composed = this->bracket(aim);
    if (!composed) break;
    const ComposedBracket& bracket = *composed;
    const double upper = bracket.upper.epsilon(delta) + bracket.upper_shift;
    const double lower = bracket.lower.epsilon(delta) - bracket.lower_shift;
    best.upper = std::min(best.upper, std::max(upper, 0.0));
    // At or below the window's start the lower curve says nothing.
    const bool inside = bracket.lower.delta(bracket.lower.first_loss()) > delta;
    if (inside) best.lower = std::max(best.lower, std::min(lower, best.upper));
    if (best.upper == 0 || best.relative_width() <= relative_width) break;
    if (!inside && aim.low > 0) {
      // ε lies below the window, by about as much as δ falls short there over λ.
      const double missing = std::log(delta / std::max(bracket.lower.delta(aim.low), 1e-9 * delta));
      const double step = std::max(1.3 * missing / aim.tilt, 0.1 * guess);
      guess = std::max(aim.low - step, 0.0);
      margin = 0.3 * step;
      continue;
    }
    const bool rounding_dominates =
        2 * (bracket.upper_shift + bracket.lower_shift) > best.upper - best.lower;
    if (rounding_dominates || bracket.transform_size >= max_transform_size_ / 2) break;
    const double width = std::isfinite(best.upper) ? best.relative_width() : 1;
    aim.mesh *= std::clamp(std::sqrt(0.8 * relative_width / width), 0.05, 0.7);
    if (std::isfinite(best.upper)) {
      guess = best.upper;
      margin = 1.5 * (best.upper - best.lower) + 0.02 * deviation;
    }
  }
  return best;
}

Enclosure DirectedComposition::delta(double epsilon, double relative_width) const {
  if (epsilon >= highest_loss_) return {0, 0};
  // Below the mean loss there is no saddle point; a tilt of this size still does.
  const double least_tilt = 0.5 / std::sqrt(std::max(cumulants_.at(0).variance, 1e-300));
  const double tilt = std::max(tilt_at(epsilon), std::min(least_tilt, 1e6));
  const auto saddle = cumulants_.at(tilt);
  const double deviation = std::sqrt(saddle.variance);
  double guess = approximate_delta(epsilon);
  Aim aim{tilt, 0, deviation, 0, 0};
  aim.low = epsilon - 1e-9 * (1 + std::abs(epsilon));
  aim.mesh = mesh_for(relative_width / tilt, tilt, deviation);

  Enclosure best{0, 1};
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    aim.tolerated_mass = std::max(kChargedShare * relative_width * guess, 1e-290);
    const auto composed = this->bracket(aim);
    if (!composed) break;
    const ComposedBracket& bracket = *composed;
    const double shift = bracket.upper_shift;
    if (epsilon - shift < bracket.upper.first_loss()) {
      aim.low = epsilon - 4 * shift;  // more rounding than the window has room for
      continue;
    }
    // Losses that rounding may have moved are moved against us.
    best.upper = std::min(best.upper, bracket.upper.delta(epsilon - shift));
    best.lower = std::max(best.lower,
                          std::min(bracket.lower.delta(epsilon + bracket.lower_shift), best.upper));
    if (best.upper <= smallest_delta_ || best.relative_width() <= relative_width) break;
    if (bracket.transform_size >= max_transform_size_ / 2) break;
    aim.mesh *= std::clamp(std::sqrt(0.8 * relative_width / best.relative_width()), 0.05, 0.7);
    guess = std::min(guess, std::max(best.upper, smallest_delta_));
  }
  return best;
}

std::vector<double> DirectedComposition::upper_deltas(const std::vector<double>& epsilons) const {
  constexpr double kRelativeWidth = 1e-3;
  // Fine enough for the smallest δ, looked at through a lens for large ones.
  const double steep = tilt_for_log_delta(cumulants_, std::log(smallest_delta_));
  const double spread = std::sqrt(std::max(cumulants_.at(0).variance, 1e-300));
  const double gentle = std::min(
      std::max(tilt_for_log_delta(cumulants_, std::log(0.1)), 0.5 / spread), std::max(steep, 1e-6));
  const double deviation = std::sqrt(cumulants_.at(gentle).variance);
  const double mesh = std::min(mesh_for(kRelativeWidth / steep, steep, deviation), deviation / 100);
  const Aim aim{gentle,    -0.01 * deviation,
                deviation, 0.1 * smallest_delta_,
                mesh,      {steep, std::sqrt(steep * gentle), gentle, 0}};
  std::vector<double> deltas(epsilons.size(), 1);
  const auto composed = bracket(aim);
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    if (epsilons[i] >= highest_loss_) deltas[i] = 0;
    if (!composed) continue;
    const double shifted = epsilons[i] - composed->upper_shift;
    if (shifted < composed->upper.first_loss()) continue;
    deltas[i] = std::min(deltas[i], composed->upper.delta(shifted));
  }
  return deltas;
}

}  // namespace sotto::accounting
