// Composition of lattice distributions by one tilted Fourier transform.
#pragma once

#include <cstdint>
#include <vector>

#include "accounting/lattice_pld.h"
#include "accounting/window.h"
#include "accounting/windowed_loss.h"

namespace sotto::accounting {

// One event of a composition, bounded from both sides on the same lattice.
struct BracketedEvent {
  LatticePld upper;
  LatticePld lower;
  std::int64_t count = 1;
};

// The composition of events, bounded from both sides inside a window.
struct ComposedBracket {
  WindowedLoss upper;
  WindowedLoss lower;
  // How far rounding may have moved the losses themselves: the upper curve holds for ε + shift, the
  // lower one for ε - shift.
  double upper_shift = 0;
  double lower_shift = 0;
  std::size_t transform_size = 0;
};

// REQUIRES: at least one event; all lattices have the same mesh.
ComposedBracket compose(const std::vector<BracketedEvent>& events, const Window& window);

}  // namespace sotto::accounting
