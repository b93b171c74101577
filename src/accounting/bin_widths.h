// How coarse a discretisation may be where little depends on it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "accounting/lattice_pld.h"

namespace sotto::accounting {

// Widths of bins, in mesh cells, as a function of the loss. What a bin adds to the error of the
// composition grows with its width squared times its mass in the tilted measure e^{λL}P, so bins
// grow where that measure is thin. Any choice is valid; this one costs a few percent of precision.
class BinWidths {
 public:
  // One cell everywhere.
  BinWidths() = default;
  // `coarse`: the loss distribution, roughly; `tilts`: λ, or several that bins must be fine enough
  // for. The centre is the last one's. REQUIRES: at least one.
  BinWidths(std::vector<LossAtom> coarse, const std::vector<double>& tilts);
  BinWidths(std::vector<LossAtom> coarse, double tilt)
      : BinWidths(std::move(coarse), std::vector<double>{tilt}) {}

  // Where half of the tilted mass lies on either side.
  double centre() const { return centre_; }
  // At most this many cells for a bin that starts at `loss` and extends upwards.
  std::int64_t cells_above(double loss, double mesh) const;
  std::int64_t cells_below(double loss, double mesh) const;

 private:
  void include_tilt(const std::vector<LossAtom>& coarse, double tilt);
  // The widest bin, in loss, that may contain this loss.
  double widest(double loss, double mesh) const;

  std::vector<double> losses_;         // ascending
  std::vector<double> smaller_tails_;  // tilted mass on the thinner side of each, of 1 in all
  double centre_ = 0;
  double tilt_ = 0;
};

}  // namespace sotto::accounting
