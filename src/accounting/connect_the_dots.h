// Pessimistic discretisation of a privacy pair.
#pragma once

#include "accounting/bin_widths.h"
#include "accounting/lattice_pld.h"
#include "accounting/privacy_pair.h"

namespace sotto::accounting {

// A lattice distribution whose δ(ε) is at least that of `pair`, at every ε and after any
// composition: the tightest one with these support points (Doroshenko et al., arXiv:2207.04380).
// Its hockey-stick curve connects the dots of the true one. Mass outside `range` becomes infinite
// loss.
LatticePld connect_the_dots(const PrivacyPair& pair, const Lattice& lattice,
                            const BinWidths& widths, Range range);

// The same for the part of the pair above range.low only; that part's mass is not completed to 1.
// The first support point is the lattice point at or below the loss at range.low.
LatticePld connect_the_dots_above(const PrivacyPair& pair, const Lattice& lattice,
                                  const BinWidths& widths, Range range);

// One atom off the lattice, split between its two lattice neighbours.
void split_atom(const LossAtom& atom, LatticePld& pld);

}  // namespace sotto::accounting
