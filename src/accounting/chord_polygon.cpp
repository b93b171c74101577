#include "accounting/chord_polygon.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace sotto::accounting {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

// Walks along the curve of a pair, one chord after another, in order of increasing loss.
class ChordWalk {
 public:
  // Along the curve between two points, range.low possibly -∞ if the loss has a limit there.
  ChordWalk(const PrivacyPair& pair, const Lattice& lattice, Range range)
      : pair_(pair),
        lattice_(lattice),
        here_loss_(std::isfinite(range.low) ? pair.loss(range.low) : pair.loss_limits().low),
        end_loss_(pair.loss(range.high)),
        here_(pair.cut(range.low)),
        leaves_limit_(!std::isfinite(range.low)) {}

  // Appends the next chord, about `cells` cells wide; false if the curve ends before it does.
  bool advance(std::int64_t cells);

  double loss() const { return here_loss_; }

  // What is left from the end of the last chord to another point of the curve, once chords that
  // are steeper than the rest have been given back to it. With nothing left over, the polygon is
  // convex and complete, hence that of an observer.
  Masses close(const Cut& until);

  const Cut& here() const { return here_; }
  const std::vector<LatticeAtom>& atoms() const { return atoms_; }

 private:
  struct Chord {
    double end_loss;
    Cut end;
    Masses masses;  // between its ends, with the Q-mass carried so far
  };
  Chord chord_to(double end_loss) const;
  // True if what a chord leaves over changes neither its own bin nor the ones after it much.
  static bool is_close(const Chord& chord, double missing, double width) {
    const double depth = chord.masses.p * width / 8;  // of the curve under the chord
    const double slope = chord.masses.p / chord.masses.q;
    return missing <= kRounding * chord.masses.p ||
           (missing < 0.05 * depth && missing < 0.02 * width * slope * chord.end.above.q);
  }
  // Finds where a chord of slope e^slope_loss from here meets the curve again, or a little before.
  bool find_end(double slope_loss, double first_guess, Chord& chord) const;

  const PrivacyPair& pair_;
  const Lattice& lattice_;
  double here_loss_;
  double end_loss_;
  Cut here_;
  // The next chord is the first and leaves a limit of the loss: its slope is the lattice offset,
  // and it ends half a cell above that (see chord_offset).
  bool leaves_limit_;
  double stretch_ = 1;  // that part of the last chord, relative to the part below
  // Q-mass passed but not yet given to a chord. A chord may end a little before it meets the curve
  // again; its end point then lies inside the region of weaker observers, and the next one starts
  // from there.
  double carried_q_ = 0;
  std::int64_t last_index_ = std::numeric_limits<std::int64_t>::min();
  std::vector<LatticeAtom> atoms_;
};

ChordWalk::Chord ChordWalk::chord_to(double end_loss) const {
  const Cut end = pair_.cut(pair_.point_at_loss(end_loss));
  const Masses passed = between(here_, end);
  return {end_loss, end, {passed.p, passed.q + carried_q_}};
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

void walk_up(ChordWalk& walk, const BinWidths& widths, double mesh) {
  while (walk.advance(widths.cells_above(walk.loss(), mesh))) {
  }
}

void walk_down(ChordWalk& reversed_walk, const BinWidths& widths, double mesh) {
  while (reversed_walk.advance(widths.cells_below(-reversed_walk.loss(), mesh))) {
  }
}

void append(const std::vector<LatticeAtom>& atoms, LatticePld& pld) {
  pld.atoms.insert(pld.atoms.end(), atoms.begin(), atoms.end());
}

// Atoms of a walk along the reversed pair, where mass counts under Q and losses are negated.
void append_mirrored(const std::vector<LatticeAtom>& reversed, LatticePld& pld) {
  for (const auto& atom : reversed) {
    const double loss = pld.lattice.loss(-atom.index);
    pld.atoms.push_back({-atom.index, atom.mass * std::exp(loss)});
  }
}

Cut mirrored(const Cut& cut) { return {{cut.above.q, cut.above.p}, {cut.below.q, cut.below.p}}; }

// The walk from `start` to both ends of the line.
LatticePld both_ways(const PrivacyPair& pair, const PrivacyPair& reversed, const Lattice& lattice,
                     const BinWidths& widths, double start, Range range) {
  LatticePld pld{lattice, {}, 0};
  ChordWalk up(pair, lattice, {start, range.high});
  walk_up(up, widths, lattice.mesh);
  const Masses top = up.close(pair.cut(kInfinity));
  append(up.atoms(), pld);
  append_piece(top, pld);
  const Lattice mirror = lattice.mirrored();
  ChordWalk down(reversed, mirror, {-start, -range.low});
  walk_down(down, widths, lattice.mesh);
  const Masses bottom = down.close(reversed.cut(kInfinity));
  append_mirrored(down.atoms(), pld);
  append_piece({bottom.q, bottom.p}, pld);
  return pld;
}

// For an unbounded loss: start in the middle of a bin, go both ways.
LatticePld from_the_middle(const PrivacyPair& pair, const PrivacyPair& reversed,
                           const Lattice& lattice, const BinWidths& widths, Range range) {
  const double lowest = pair.loss(range.low);
  const double highest = pair.loss(range.high);
  // A steep tilt may have its centre where a single step has nothing left.
  const double centre = std::min(std::max(widths.centre(), lowest), highest - lattice.mesh);
  const double start_loss = lattice.loss(lattice.floor(centre)) + lattice.mesh / 2;
  if (start_loss <= lowest || start_loss >= highest) {
    LatticePld pld{lattice, {}, 0};
    append_piece({1, 1}, pld);
    return pld;
  }
  return both_ways(pair, reversed, lattice, widths, pair.point_at_loss(start_loss), range);
}

// For a loss with a limit on one side: start there, so that nothing is left over beside it.
LatticePld from_the_limit(const PrivacyPair& pair, const PrivacyPair& reversed,
                          const Lattice& lattice, const BinWidths& widths, Range range) {
  LatticePld pld{lattice, {}, 0};
  if (std::isfinite(pair.loss_limits().low)) {
    ChordWalk up(pair, lattice, {-kInfinity, range.high});
    walk_up(up, widths, lattice.mesh);
    const Masses top = up.close(pair.cut(kInfinity));
    append(up.atoms(), pld);
    append_piece(top, pld);
    return pld;
  }
  const Lattice mirror = lattice.mirrored();
  ChordWalk down(reversed, mirror, {-kInfinity, -range.low});
  walk_down(down, widths, lattice.mesh);
  const Masses bottom = down.close(reversed.cut(kInfinity));
  append_mirrored(down.atoms(), pld);
  append_piece({bottom.q, bottom.p}, pld);
  return pld;
}

// For a loss with an atom at each end: the atoms are chords themselves. Go inwards from them until
// the two walks meet; what is left between them becomes one atom.
LatticePld from_the_ends(const PrivacyPair& pair, const PrivacyPair& reversed,
                         const Lattice& lattice, const BinWidths& widths, Range inner) {
  LatticePld pld{lattice, {}, 0};
  append_piece(pair.cut(inner.low).below, pld);
  append_piece(pair.cut(inner.high).above, pld);
  const double middle = (inner.low + inner.high) / 2;
  ChordWalk up(pair, lattice, {inner.low, middle});
  walk_up(up, widths, lattice.mesh);
  const Lattice mirror = lattice.mirrored();
  ChordWalk down(reversed, mirror, {-inner.high, -middle});
  walk_down(down, widths, lattice.mesh);
  // First the upper walk down to where the lower one ended, then that one with the rest.
  const Masses gap = down.close(mirrored(up.here()));
  append_mirrored(down.atoms(), pld);
  const Masses carried = up.close(up.here());
  append(up.atoms(), pld);
  append_piece({gap.q + carried.p, gap.p + carried.q}, pld);
  return pld;
}

}  // namespace

double chord_offset(const PrivacyPair& pair, double mesh) {
  const Range limits = pair.loss_limits();
  const bool below = std::isfinite(limits.low);
  if (!below && !std::isfinite(limits.high)) return 0;
  // Along the walk away from the limit, the distance of the curve's slope from the average slope
  // so far grows from 0; find where it is half a cell.
  const double limit = below ? limits.low : limits.high;
  const double outwards = below ? 1 : -1;
  const auto average = [&](double distance) {
    const Cut cut = pair.cut(pair.point_at_loss(limit + outwards * distance));
    const Masses passed = below ? cut.below : cut.above;
    return passed.p > 0 && passed.q > 0 ? std::log(passed.p / passed.q) : limit;
  };
  const auto too_far = [&](double distance) {
    return outwards * (limit + outwards * distance - average(distance)) >= mesh / 2;
  };
  double near = 0;
  double far = mesh;
  while (!too_far(far) && far < 1e6 * mesh) far *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (near + far) / 2;
    (too_far(middle) ? far : near) = middle;
  }
  return average(far);
}

void append_piece(const Masses& piece, LatticePld& pld) {
  if (!(piece.p > 0)) return;
  const double loss = std::log(piece.p / std::max(piece.q, 1e-300));
  pld.atoms.push_back({pld.lattice.floor(std::clamp(loss, -700.0, 700.0)), piece.p});
}

OpenPolygon chords_above(const PrivacyPair& pair, const Lattice& lattice, const BinWidths& widths,
                         Range range) {
  ChordWalk walk(pair, lattice, range);
  walk_up(walk, widths, lattice.mesh);
  const Masses rest = walk.close(pair.cut(kInfinity));
  return {walk.atoms(), rest};
}

LatticePld chord_polygon(const std::shared_ptr<const PrivacyPair>& pair, const Lattice& lattice,
                         const BinWidths& widths, Range range) {
  const ReversedPair reversed(pair);
  const Range inner = pair->increasing_range();
  if (std::isfinite(inner.low)) return from_the_ends(*pair, reversed, lattice, widths, inner);
  const Range limits = pair->loss_limits();
  if (std::isfinite(limits.low) || std::isfinite(limits.high)) {
    return from_the_limit(*pair, reversed, lattice, widths, range);
  }
  return from_the_middle(*pair, reversed, lattice, widths, range);
}

}  // namespace sotto::accounting
