// Pessimistic discretisation of a privacy pair.
#pragma once

#include "accounting/bin_widths.h"
#include "accounting/lattice_pld.h"
#include "accounting/privacy_pair.h"

namespace sotto::accounting {

// A lattice distribution whose δ(ε) is at least that of `pair`, at every ε and after any
// composition: the tightest one with these support points (Doroshenko et al., arXiv:2207.04380).
// Its hockey-stick curve connects the dots of the true one. Mass outside `range` becomes infinite
// loss. Rounding is taken against us: masses under P up, under Q down.
LatticePld connect_the_dots(const PrivacyPair& pair, const Lattice& lattice,
                            const BinWidths& widths, Range range);

// The same for the pair's symmetrised curve: its part above range.low, where the loss is about 0,
// the mirror image of that part, and the rest of the mass at 0. REQUIRES: lattice.offset is 0.
LatticePld connect_the_dots_symmetrised(const PrivacyPair& pair, const Lattice& lattice,
                                        const BinWidths& widths, Range range);

// One atom off the lattice, split between its two lattice neighbours.
void split_atom(const LossAtom& atom, LatticePld& pld);

}  // namespace sotto::accounting
