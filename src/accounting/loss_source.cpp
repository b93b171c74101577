#include "accounting/loss_source.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accounting/chord_polygon.h"
#include "accounting/connect_the_dots.h"
#include "accounting/infinity.h"

namespace sotto::accounting {

namespace {

// Cells of equal width in z between two points, each with its P-mass and average slope.
void append_cells(const PrivacyPair& pair, Range range, std::vector<LossAtom>& atoms) {
  constexpr double kCellWidth = 0.075;  // in standard deviations or scales of the noise
  const int cells = std::clamp(static_cast<int>((range.high - range.low) / kCellWidth), 100, 2000);
  const double width = (range.high - range.low) / cells;
  Cut left = pair.cut(range.low);
  for (int cell = 0; cell < cells; ++cell) {
    const double z = range.low + cell * width;
    const Cut right = pair.cut(z + width);
    const Masses mass = between(left, right);
    if (mass.p > 0 && mass.q > 0) atoms.push_back({std::log(mass.p / mass.q), mass.p});
    left = right;
  }
}

// A pair with an increasing loss.
class PairSource final : public LossSource {
 public:
  explicit PairSource(std::shared_ptr<const PrivacyPair> pair) : pair_(std::move(pair)) {}

  std::vector<LossAtom> coarse(double tail_mass) const override {
    std::vector<LossAtom> atoms;
    const Range inner = pair_->increasing_range();
    if (!std::isfinite(inner.low)) {
      append_cells(*pair_, pair_->central_range(tail_mass), atoms);
      return atoms;
    }
    atoms.push_back({pair_->loss(inner.low), pair_->cut(inner.low).below.p});
    append_cells(*pair_, inner, atoms);
    atoms.push_back({pair_->loss(inner.high), pair_->cut(inner.high).above.p});
    return atoms;
  }

  double highest_loss() const override { return pair_->loss_limits().high; }

  double offset(double mesh) const override {
    const Range inner = pair_->increasing_range();
    return std::isfinite(inner.low) ? pair_->loss(inner.low) : chord_offset(*pair_, mesh);
  }

  double aligned_span() const override {
    const Range inner = pair_->increasing_range();
    return std::isfinite(inner.low) ? pair_->loss(inner.high) - pair_->loss(inner.low) : 0;
  }

  LatticePld upper(const Lattice& lattice, const BinWidths& widths,
                   double tail_mass) const override {
    return connect_the_dots(*pair_, lattice, widths, pair_->central_range(tail_mass));
  }

  LatticePld lower(const Lattice& lattice, const BinWidths& widths,
                   double tail_mass) const override {
    return chord_polygon(pair_, lattice, widths, pair_->central_range(tail_mass));
  }

 private:
  std::shared_ptr<const PrivacyPair> pair_;
};

// Fixed-size sampling under replace-one: the trade-off curve is the symmetrised curve of (1-q)Q+qP
// against Q (Dong, Roth, Su 2019, Theorem 4.2; Zhu, Dong, Wang 2022, Theorem 11). Its hockey-stick
// curve is that of the sampled pair for ε >= 0 and of the reversed one for ε < 0, so the loss has
// the sampled pair's distribution above 0, the mirror image below, and an atom at 0.
class SymmetrisedSource final : public LossSource {
 public:
  explicit SymmetrisedSource(std::shared_ptr<const PrivacyPair> pair) : pair_(std::move(pair)) {}

  std::vector<LossAtom> coarse(double tail_mass) const override {
    std::vector<LossAtom> above;
    const Range range{pair_->point_at_loss(0), pair_->central_range(tail_mass).high};
    append_cells(*pair_, range, above);
    return mirrored_with_centre(above, pair_->cut(range.low).above);
  }

  double highest_loss() const override { return pair_->loss_limits().high; }

  LatticePld upper(const Lattice& lattice, const BinWidths& widths,
                   double tail_mass) const override {
    const Range range{pair_->point_at_loss(0), pair_->central_range(tail_mass).high};
    return connect_the_dots_symmetrised(*pair_, lattice, widths, range);
  }

  LatticePld lower(const Lattice& lattice, const BinWidths& widths,
                   double tail_mass) const override {
    // The chord across 0 joins the points at ±mesh/2; by symmetry its slope is 1.
    const Range range{pair_->point_at_loss(lattice.mesh / 2), pair_->central_range(tail_mass).high};
    const OpenPolygon polygon = chords_above(*pair_, lattice, widths, range);
    LatticePld pld{lattice, polygon.atoms, 0};
    complete(pld, pair_->cut(range.low).above);
    append_piece(polygon.rest, pld);
    append_piece({polygon.rest.q, polygon.rest.p}, pld);
    return pld;
  }

 private:
  // Adds the mirror image of atoms above 0, and the mass at 0 that neither side has.
  static void complete(LatticePld& pld, const Masses& above) {
    const std::size_t count = pld.atoms.size();
    for (std::size_t i = 0; i < count; ++i) {
      const LatticeAtom atom = pld.atoms[i];
      pld.atoms.push_back({-atom.index, atom.mass * std::exp(-pld.lattice.loss(atom.index))});
    }
    pld.atoms.push_back({0, std::max(1 - above.p - above.q, 0.0)});
  }

  static std::vector<LossAtom> mirrored_with_centre(const std::vector<LossAtom>& above,
                                                    const Masses& masses) {
    std::vector<LossAtom> all = above;
    for (const auto& atom : above) all.push_back({-atom.loss, atom.mass * std::exp(-atom.loss)});
    all.push_back({0, std::max(1 - masses.p - masses.q, 1e-300)});
    return all;
  }

  std::shared_ptr<const PrivacyPair> pair_;
};

class DiscreteSource final : public LossSource {
 public:
  DiscreteSource(std::vector<LossAtom> atoms, double infinite_mass, double aligned_span)
      : atoms_(std::move(atoms)), infinite_mass_(infinite_mass), aligned_span_(aligned_span) {}

  std::vector<LossAtom> coarse(double /*tail_mass*/) const override { return atoms_; }
  double highest_loss() const override {
    return infinite_mass_ > 0 || atoms_.empty() ? kInfinity : atoms_.back().loss;
  }
  double offset(double /*mesh*/) const override { return atoms_.empty() ? 0 : atoms_.front().loss; }
  double aligned_span() const override { return aligned_span_; }
  bool is_discrete() const override { return true; }

  LatticePld upper(const Lattice& lattice, const BinWidths& /*widths*/,
                   double /*tail_mass*/) const override {
    LatticePld pld{lattice, {}, infinite_mass_};
    for (const auto& atom : atoms_) split_atom(atom, pld);
    return pld;
  }

  LatticePld lower(const Lattice& lattice, const BinWidths& /*widths*/,
                   double /*tail_mass*/) const override {
    LatticePld pld{lattice, {}, infinite_mass_};
    for (const auto& atom : atoms_) pld.atoms.push_back({lattice.floor(atom.loss), atom.mass});
    return pld;
  }

 private:
  std::vector<LossAtom> atoms_;
  double infinite_mass_;
  double aligned_span_;
};

}  // namespace

std::shared_ptr<const LossSource> make_pair_source(std::shared_ptr<const PrivacyPair> pair) {
  return std::make_shared<PairSource>(std::move(pair));
}

std::shared_ptr<const LossSource> make_symmetrised_source(std::shared_ptr<const PrivacyPair> pair) {
  return std::make_shared<SymmetrisedSource>(std::move(pair));
}

std::shared_ptr<const LossSource> make_discrete_source(std::vector<LossAtom> atoms,
                                                       double infinite_mass, double aligned_span) {
  std::erase_if(atoms, [](const LossAtom& atom) { return !(atom.mass > 0); });
  return std::make_shared<DiscreteSource>(std::move(atoms), infinite_mass, aligned_span);
}

}  // namespace sotto::accounting
