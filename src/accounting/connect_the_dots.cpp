#include "accounting/connect_the_dots.h"

#include <algorithm>
#include <cmath>

namespace sotto::accounting {

namespace {

// Appends the two atoms that carry a bin's masses: its P and Q fix both.
void append_bin(std::int64_t low, std::int64_t high, const Masses& bin, LatticePld& pld) {
  const double low_loss = pld.lattice.loss(low);
  const double width = pld.lattice.loss(high) - low_loss;
  // With mass b at the upper and P - b at the lower end, Q = (P - b) e^{-l} + b e^{-l-width}.
  // By the bin's own loss, so that e^loss cannot overflow; without any Q-mass all goes up.
  const double above_low = bin.q > 0 ? std::log(bin.p / bin.q) - low_loss : width;
  const double share = std::expm1(-std::clamp(above_low, 0.0, width)) / std::expm1(-width);
  const double upper = bin.p * share;
  pld.atoms.push_back({low, bin.p - upper});
  pld.atoms.push_back({high, upper});
}

// Support points from `first` until the loss at range.high is covered.
LatticePld climb(const PrivacyPair& pair, const Lattice& lattice, const BinWidths& widths,
                 std::int64_t first, Range range) {
  LatticePld pld{lattice, {}, 0};
  const std::int64_t last = std::max(lattice.ceil(pair.loss(range.high)), first + 1);
  const Cut end = pair.cut(range.high);
  Cut low_cut = pair.cut(range.low);
  for (std::int64_t low = first; low < last;) {
    const std::int64_t high =
        std::min(low + widths.cells_above(lattice.loss(low), lattice.mesh), last);
    const double z = std::clamp(pair.point_at_loss(lattice.loss(high)), range.low, range.high);
    const Cut high_cut = high == last ? end : pair.cut(z);
    const Masses bin = between(low_cut, high_cut);
    if (bin.p > 0) append_bin(low, high, {bin.p, std::max(bin.q, 0.0)}, pld);
    low_cut = high_cut;
    low = high;
  }
  pld.infinite_mass = end.above.p;
  return pld;
}

}  // namespace

LatticePld connect_the_dots_above(const PrivacyPair& pair, const Lattice& lattice,
                                  const BinWidths& widths, Range range) {
  return climb(pair, lattice, widths, lattice.floor(pair.loss(range.low)), range);
}

LatticePld connect_the_dots(const PrivacyPair& pair, const Lattice& lattice,
                            const BinWidths& widths, Range range) {
  LatticePld pld = connect_the_dots_above(pair, lattice, widths, range);
  pld.infinite_mass += pair.cut(range.low).below.p;
  return pld;
}

void split_atom(const LossAtom& atom, LatticePld& pld) {
  const std::int64_t low = pld.lattice.floor(atom.loss);
  if (pld.lattice.ceil(atom.loss) == low) {
    pld.atoms.push_back({low, atom.mass});
    return;
  }
  append_bin(low, low + 1, {atom.mass, atom.mass * std::exp(-atom.loss)}, pld);
}

}  // namespace sotto::accounting
