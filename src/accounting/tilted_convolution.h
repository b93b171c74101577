// Composition of lattice distributions by one tilted Fourier transform.
#pragma once

#include <cstdint>
#include <vector>

#include "accounting/cumulants.h"
#include "accounting/lattice_pld.h"

namespace sotto::accounting {

// One event of a composition, bounded from both sides on the same lattice.
struct BracketedEvent {
  LatticePld upper;
  LatticePld lower;
  std::int64_t count = 1;
};

// Where to look, and through which lens. Multiplying every distribution by e^{λ·loss} before the
// transform moves the bulk of the composition to the losses that decide δ; there, values keep their
// relative precision however small δ is, and the window need only reach from the smallest ε of
// interest into the upper tail.
struct Window {
  double tilt;   // λ > 0
  double low;    // smallest ε of interest
  double width;  // of the window [low, low + width) in loss
};

struct WindowRequest {
  double tilt;            // λ of the saddle point
  double low;             // smallest ε of interest
  double tolerated_mass;  // what aliasing, truncation and rounding may each cost
  double steps;           // number of events: rounding grows with it
};

// A window that keeps to the tolerated mass, as short as the choice of the tilt allows. `cumulants`
// may be approximate; what the window really costs is certified later, by composition.
Window plan_window(const CumulantFunction& cumulants, const WindowRequest& request);

// A loss distribution inside a window, with what is charged for everything outside it.
class WindowedLoss {
 public:
  // `masses[i]`: probability of the loss first_loss + i·mesh. `charge` is added to every δ.
  WindowedLoss(double mesh, double first_loss, std::vector<double> masses, double charge);

  // Σ mass (1 - e^{ε - loss})₊ + charge. REQUIRES: ε >= first_loss().
  double delta(double epsilon) const;
  // The smallest ε >= first_loss() with delta(ε) <= δ; +infinity if there is none.
  double epsilon(double delta) const;
  double first_loss() const { return first_loss_; }

 private:
  double mesh_;
  double first_loss_;
  double charge_;
  // Sums over the cells from i upwards: of mass, and of mass·e^{loss of cell i - loss}.
  std::vector<double> mass_from_;
  std::vector<double> damped_from_;
};

// The composition of events, bounded from both sides inside a window.
struct ComposedBracket {
  WindowedLoss upper;
  WindowedLoss lower;
  double loss_rounding = 0;  // how far rounding may have moved the losses themselves
  std::size_t transform_size = 0;
};

// REQUIRES: at least one event; all lattices have the same mesh.
ComposedBracket compose(const std::vector<BracketedEvent>& events, const Window& window);

}  // namespace sotto::accounting
