#include "accounting/chord_polygon.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "accounting/chord_walk.h"
#include "accounting/infinity.h"

namespace sotto::accounting {

namespace {

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

// Chords from `start` upwards, then one piece to +∞.
void climb(const PrivacyPair& pair, const BinWidths& widths, Range range, LatticePld& pld) {
  ChordWalk walk(pair, pld.lattice, range);
  walk_up(walk, widths, pld.lattice.mesh);
  const Masses rest = walk.close(pair.cut(kInfinity));
  append(walk.atoms(), pld);
  append_piece(rest, pld);
}

// The same downwards, which is upwards on the reversed pair; `range` is that of the reversed pair.
void descend(const PrivacyPair& reversed, const BinWidths& widths, Range range, LatticePld& pld) {
  const Lattice mirror = pld.lattice.mirrored();
  ChordWalk walk(reversed, mirror, range);
  walk_down(walk, widths, mirror.mesh);
  const Masses rest = walk.close(reversed.cut(kInfinity));
  append_mirrored(walk.atoms(), pld);
  append_piece({rest.q, rest.p}, pld);
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
  LatticePld pld{lattice, {}, 0};
  const double start = pair.point_at_loss(start_loss);
  climb(pair, widths, {start, range.high}, pld);
  descend(reversed, widths, {-start, -range.low}, pld);
  return pld;
}

// For a loss with a limit on one side: start there, so that nothing is left over beside it.
LatticePld from_the_limit(const PrivacyPair& pair, const PrivacyPair& reversed,
                          const Lattice& lattice, const BinWidths& widths, Range range) {
  LatticePld pld{lattice, {}, 0};
  if (std::isfinite(pair.loss_limits().low)) {
    climb(pair, widths, {-kInfinity, range.high}, pld);
  } else {
    descend(reversed, widths, {-kInfinity, -range.low}, pld);
  }
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
