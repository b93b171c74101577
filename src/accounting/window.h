// The window of losses in which a composition is computed, and what looking only there costs.
#pragma once

#include "accounting/cumulants.h"

namespace sotto::accounting {

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
// may be approximate; what the window really costs is computed later, by composition.
Window plan_window(const CumulantFunction& cumulants, const WindowRequest& request);

// Pr[L >= threshold] by Chernoff's bound, the best of a few exponents above `tilt`.
double tail_bound(const CumulantFunction& cumulants, double tilt, double threshold);

// What losses beyond the window can add inside it: a loss L that appears k periods W lower counts
// e^{λkW} times its probability.
double alias_from_above(const CumulantFunction& cumulants, const Window& window);

// What losses below the window can add inside it: e^{-λW} and less a period.
double alias_from_below(const Window& window);

}  // namespace sotto::accounting
