// Optimistic discretisation of a privacy pair.
#pragma once

#include "accounting/bin_widths.h"
#include "accounting/lattice_pld.h"
#include "accounting/privacy_pair.h"

namespace sotto::accounting {

// A lattice distribution whose δ(ε) is at most that of `pair`, at every ε and after any
// composition. Think of the convex curve z -> (Q(-∞, z], P(-∞, z]), whose slope is e^loss. A
// polygon of chords is what an observer sees who is told only which bin z fell into: less than z
// itself. The bins are chosen so that each chord's slope is e^{lattice point}; the error is
// O(mesh²), like that of connect_the_dots, where rounding every loss down would cost O(mesh) a
// step. Beyond `range`, one last piece on either side reaches to the end.
LatticePld chord_polygon(const std::shared_ptr<const PrivacyPair>& pair, const Lattice& lattice,
                         const BinWidths& widths, Range range);

// The lattice offset at which the polygon has bins of equal width up to a finite limit of the loss,
// if there is one: the outermost chord then ends half a cell above its own slope's loss.
double chord_offset(const PrivacyPair& pair, double mesh);

// Chords without their end: what lies beyond the last one is not a lattice atom yet.
struct OpenPolygon {
  std::vector<LatticeAtom> atoms;
  Masses rest;  // of a steeper slope than the last chord's
};

// The chords from the point at `range.low` up to about that at `range.high`, for a pair whose loss
// increases between them; the rest reaches to +∞.
OpenPolygon chords_above(const PrivacyPair& pair, const Lattice& lattice, const BinWidths& widths,
                         Range range);

// Appends one atom for a whole piece of the curve, at the lattice point below its average slope.
void append_piece(const Masses& piece, LatticePld& pld);

}  // namespace sotto::accounting
