#include "accounting/connect_the_dots.h"

#include <algorithm>
#include <cmath>

#include "core/unit_roundoff.h"

namespace sotto::accounting {

namespace {

// Where a bin begins or ends, and how well what is computed there is known.
struct Edge {
  double z;
  Cut cut;
  double cut_error;
  double loss;
  double loss_error;
};

Edge edge_at(const PrivacyPair& pair, double z) {
  return {z, pair.cut(z), pair.cut_error(z), pair.loss(z), pair.loss_error(z)};
}

// A bound on the error of between(): two numbers known up to their errors, and their difference.
Masses error_between(const Edge& low, const Edge& high) {
  const auto sum = [&](double of_low, double of_high) {
    return (low.cut_error + 2 * kUnitRoundoff) * of_low +
           (high.cut_error + 2 * kUnitRoundoff) * of_high;
  };
  const Cut& a = low.cut;
  const Cut& b = high.cut;
  return {b.below.p < 0.5 ? sum(a.below.p, b.below.p) : sum(a.above.p, b.above.p),
          b.below.q < 0.5 ? sum(a.below.q, b.below.q) : sum(a.above.q, b.above.q)};
}

// Atoms at both ends that carry a mass whose loss, on average, is above_low above the lower end;
// more of it goes up than that says, by the rounding of what is computed here.
void append_split(std::int64_t low, std::int64_t high, double mass, double above_low,
                  LatticePld& pld) {
  const double width = pld.lattice.loss(high) - pld.lattice.loss(low);
  // With mass b at the upper and P - b at the lower end, Q = (P - b) e^{-l} + b e^{-l-width}.
  const double share = std::expm1(-std::clamp(above_low, 0.0, width)) / std::expm1(-width);
  const double upper = mass * std::min(share * (1 + 16 * kUnitRoundoff), 1.0);
  pld.atoms.push_back({low, mass - upper});
  pld.atoms.push_back({high, upper});
}

// P rounded up and Q rounded down: products of such measures dominate products of the true ones.
void append_bin(std::int64_t low, std::int64_t high, const Masses& bin, const Masses& error,
                LatticePld& pld) {
  const double p = bin.p + error.p;
  const double q = bin.q - error.q;
  if (!(p > 0)) return;
  const double low_loss = pld.lattice.loss(low);
  const double width = pld.lattice.loss(high) - low_loss;
  // By the bin's own loss, so that e^loss cannot overflow; without any Q-mass all goes up.
  const double loss = q > 0 ? std::log(p / q) : low_loss + width;
  const double rounding = 8 * kUnitRoundoff * (1 + std::abs(loss) + std::abs(low_loss));
  append_split(low, high, p, loss - low_loss + rounding, pld);
}

void note_loss_error(double excess, double error, LatticePld& pld) {
  pld.loss_error = std::max(pld.loss_error, std::max(excess, 0.0) + error);
}

void append_bin_between(std::int64_t low, std::int64_t high, const Edge& from, const Edge& to,
                        bool mirrored_too, LatticePld& pld) {
  if (from.z == to.z) return;
  const Masses bin = between(from.cut, to.cut);
  const Masses error = error_between(from, to);
  const Lattice& lattice = pld.lattice;
  note_loss_error(std::max(to.loss - lattice.loss(high), lattice.loss(low) - from.loss),
                  std::max(from.loss_error, to.loss_error) + 4 * kUnitRoundoff * std::abs(to.loss),
                  pld);
  append_bin(low, high, bin, error, pld);
  if (mirrored_too) append_bin(-high, -low, {bin.q, bin.p}, {error.q, error.p}, pld);
}

// Support points from `first` until the loss at range.high is covered.
LatticePld climb(const PrivacyPair& pair, const Lattice& lattice, const BinWidths& widths,
                 Range range, bool mirrored_too) {
  LatticePld pld{lattice, {}, 0};
  const Edge end = edge_at(pair, range.high);
  Edge from = edge_at(pair, range.low);
  const std::int64_t first = lattice.floor(from.loss);
  const std::int64_t last = std::max(lattice.ceil(end.loss), first + 1);
  for (std::int64_t low = first; low < last;) {
    const std::int64_t high =
        std::min(low + widths.cells_above(lattice.loss(low), lattice.mesh), last);
    const double z = std::clamp(pair.point_at_loss(lattice.loss(high)), range.low, range.high);
    const Edge to = high == last ? end : edge_at(pair, z);
    append_bin_between(low, high, from, to, mirrored_too, pld);
    from = to;
    low = high;
  }
  pld.infinite_mass = end.cut.above.p * (1 + end.cut_error);
  if (mirrored_too) pld.infinite_mass += end.cut.above.q * (1 + end.cut_error);
  return pld;
}

}  // namespace

LatticePld connect_the_dots(const PrivacyPair& pair, const Lattice& lattice,
                            const BinWidths& widths, Range range) {
  LatticePld pld = climb(pair, lattice, widths, range, /*mirrored_too=*/false);
  pld.infinite_mass += pair.cut(range.low).below.p * (1 + pair.cut_error(range.low));
  return pld;
}

LatticePld connect_the_dots_symmetrised(const PrivacyPair& pair, const Lattice& lattice,
                                        const BinWidths& widths, Range range) {
  LatticePld pld = climb(pair, lattice, widths, range, /*mirrored_too=*/true);
  const Masses above = pair.cut(range.low).above;
  const double error = pair.cut_error(range.low) * (above.p + above.q) + 4 * kUnitRoundoff;
  pld.atoms.push_back({0, std::max(1 - above.p - above.q, 0.0) + error});
  return pld;
}

void split_atom(const LossAtom& atom, LatticePld& pld) {
  // Masses and losses of atoms come out of a few operations.
  const double mass = atom.mass * (1 + 32 * kUnitRoundoff);
  const double error = 16 * kUnitRoundoff * (1 + std::abs(atom.loss));
  const std::int64_t low = pld.lattice.floor(atom.loss);
  if (pld.lattice.ceil(atom.loss) == low) {
    note_loss_error(atom.loss - pld.lattice.loss(low), error, pld);
    pld.atoms.push_back({low, mass});
    return;
  }
  note_loss_error(0, error, pld);
  append_split(low, low + 1, mass, atom.loss - pld.lattice.loss(low) + error, pld);
}

}  // namespace sotto::accounting
