#include "accounting/chord_walk.h"

#include <algorithm>

#include "accounting/infinity.h"

namespace sotto::accounting {

namespace {

constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

}  // namespace

ChordWalk::Chord ChordWalk::chord_to(double end_loss) const {
  const Cut end = pair_.cut(pair_.point_at_loss(end_loss));
  const Masses passed = between(here_, end);
  return {end_loss, end, {passed.p, passed.q + carried_q_}};
}

bool ChordWalk::is_close(const Chord& chord, double missing, double width) {
  const double depth = chord.masses.p * width / 8;  // of the curve under the chord
  const double slope = chord.masses.p / chord.masses.q;
  return missing <= kRounding * chord.masses.p ||
         (missing < 0.05 * depth && missing < 0.02 * width * slope * chord.end.above.q);
}

bool ChordWalk::find_end(double slope_loss, double first_guess, Chord& chord) const {
  const double slope = std::exp(slope_loss);
  const double below = slope_loss - here_loss_;
  double valid = 0;             // a chord this far above its slope's loss does not cross the curve
  double crossing = kInfinity;  // one this far does
  double above = first_guess;
  constexpr int kAttempts = 80;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const bool at_end = slope_loss + above >= end_loss_;
    if (at_end) above = end_loss_ - slope_loss;
    const Chord candidate = chord_to(slope_loss + above);
    // The chord lies above the curve as long as its rise is at most slope times its run, up to
    // rounding, which compose() charges for.
    const double excess = candidate.masses.p - slope * candidate.masses.q;
    if (excess <= kRounding * candidate.masses.p) {
      if (at_end) return false;
      chord = candidate;
      valid = above;
      if (is_close(candidate, -excess, above + below) || crossing - valid < 1e-13 * valid) {
        return true;
      }
    } else {
      crossing = above;
    }
    // With a locally constant density f, excess = f (above² - exact²)/2. Aim slightly short, and
    // less so each time.
    const double density = candidate.masses.p / (above + below);
    const double shortfall = 0.01 * std::pow(0.25, attempt);
    const double exact =
        (1 - shortfall) * std::sqrt(std::max(above * above - 2 * excess / density, 0.0));
    if (exact > valid && exact < crossing && exact < 8 * above) {
      above = exact;
    } else {
      above = std::isfinite(crossing) ? (valid + crossing) / 2 : 2 * above;
    }
  }
  return valid > 0;
}

bool ChordWalk::advance(std::int64_t cells) {
  const double position = lattice_.position(here_loss_);
  std::int64_t index = static_cast<std::int64_t>(std::floor(position)) + 1;
  index = std::max(
      index, static_cast<std::int64_t>(std::llround(position + static_cast<double>(cells) / 2)));
  if (index <= last_index_) index = last_index_ + 1;
  if (leaves_limit_) index = 0;
  const double slope_loss = lattice_.loss(index);
  if (slope_loss >= end_loss_) return false;
  const double below = std::max(slope_loss - here_loss_, 0.0);
  const double guess =
      leaves_limit_ ? lattice_.mesh / 2 : std::max(below, 1e-6 * lattice_.mesh) * stretch_;
  Chord chord{};
  if (!find_end(slope_loss, guess, chord)) return false;
  if (chord.masses.p > 0) atoms_.push_back({index, chord.masses.p});
  // What is only rounding must not be carried: where losses are large, the next chord's own Q-mass
  // is smaller still.
  const double left_over = chord.masses.q - chord.masses.p * std::exp(-slope_loss);
  carried_q_ = left_over > kRounding * chord.masses.q ? left_over : 0;
  stretch_ = below > 0 ? std::clamp((chord.end_loss - slope_loss) / below, 0.5, 1.5) : 1;
  leaves_limit_ = false;
  last_index_ = index;
  here_ = chord.end;
  here_loss_ = chord.end_loss;
  return true;
}

Masses ChordWalk::close(const Cut& until) {
  Masses rest = between(here_, until);
  rest.p = std::max(rest.p, 0.0);
  rest.q = std::max(rest.q, 0.0) + carried_q_;
  carried_q_ = 0;
  while (!atoms_.empty()) {
    const LatticeAtom last = atoms_.back();
    const double slope = std::exp(lattice_.loss(last.index));
    if (rest.p >= slope * rest.q) break;
    rest.p += last.mass;
    rest.q += last.mass / slope;
    atoms_.pop_back();
  }
  return rest;
}

}  // namespace sotto::accounting
