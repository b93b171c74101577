// What a composition needs to know of one event: its privacy loss, bounded from both sides.
#pragma once

#include <memory>
#include <vector>

#include "accounting/bin_widths.h"
#include "accounting/lattice_pld.h"
#include "accounting/privacy_pair.h"

namespace sotto::accounting {

// The privacy loss of one event in one direction (P against Q).
class LossSource {
 public:
  virtual ~LossSource() = default;

  // The distribution of the loss, roughly, for planning only; out to tails of this mass.
  virtual std::vector<LossAtom> coarse(double tail_mass) const = 0;
  // No loss is above this; +∞ if there is no such bound.
  virtual double highest_loss() const = 0;
  // The lattice offset that suits this event.
  virtual double offset(double /*mesh*/) const { return 0; }
  // If positive, the mesh should divide it, so that this event's atoms lie on the lattice.
  virtual double aligned_span() const { return 0; }
  // True if the discretisation is exact for every mesh that divides aligned_span().
  virtual bool is_discrete() const { return false; }

  // Lattice distributions that dominate the event, and are dominated by it. Each tail may be cut
  // where it has `tail_mass`: to infinite loss above, to nothing below.
  virtual LatticePld upper(const Lattice& lattice, const BinWidths& widths,
                           double tail_mass) const = 0;
  virtual LatticePld lower(const Lattice& lattice, const BinWidths& widths,
                           double tail_mass) const = 0;
};

// A pair with an increasing loss.
std::shared_ptr<const LossSource> make_pair_source(std::shared_ptr<const PrivacyPair> pair);

// The symmetrised curve of a sampled pair: fixed-size sampling under replace-one.
std::shared_ptr<const LossSource> make_symmetrised_source(std::shared_ptr<const PrivacyPair> pair);

// A distribution given by its atoms, in order of loss.
std::shared_ptr<const LossSource> make_discrete_source(std::vector<LossAtom> atoms,
                                                       double infinite_mass, double aligned_span);

}  // namespace sotto::accounting
