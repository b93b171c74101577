// What a composition needs to know of one event: its privacy loss, bounded from both sides.
#pragma once

#include <memory>
#include <vector>

#include "accounting/bin_widths.h"
#include "accounting/lattice_pld.h"
#include "sotto/accounting/event.h"
#include "sotto/accounting/neighbours.h"

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

// Both directions of an event. Where they are equal they are the same object.
struct LossSources {
  std::shared_ptr<const LossSource> forward;
  std::shared_ptr<const LossSource> backward;
};

// Throws NoValidAnalysis, naming event and relation, where no dominating pair is known.
// REQUIRES: the event is not noiseless.
LossSources loss_sources(const Event& event, const Neighbours& neighbours);

// A distribution given by its atoms, e.g. for tests.
std::shared_ptr<const LossSource> make_discrete_source(std::vector<LossAtom> atoms,
                                                       double infinite_mass, double aligned_span);

}  // namespace sotto::accounting
