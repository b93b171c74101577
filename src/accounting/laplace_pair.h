// The dominating pair of the Laplace mechanism, with or without Poisson sampling.
#pragma once

#include "accounting/privacy_pair.h"

namespace sotto::accounting {

// P = (1-q) Lap(0) + q Lap(shift), Q = Lap(0), both of scale 1. The loss is constant for z <= 0 and
// for z >= shift: two atoms, with a smooth part between them.
class LaplacePair final : public PrivacyPair {
 public:
  LaplacePair(double sample_rate, double shift) : sample_rate_(sample_rate), shift_(shift) {}

  double loss(double z) const override;
  double point_at_loss(double loss) const override;
  Cut cut(double z) const override;
  double cut_error(double z) const override;
  double loss_error(double z) const override;
  Range central_range(double tail_mass) const override;
  Range loss_limits() const override { return {loss(0), loss(shift_)}; }
  Range increasing_range() const override { return {0, shift_}; }

 private:
  double sample_rate_;
  double shift_;
};

}  // namespace sotto::accounting
