// A composed privacy loss, as far as it lies inside a window.
#pragma once

#include <vector>

namespace sotto::accounting {

enum class Side { kUpper, kLower };

// A loss distribution inside a window, with what is charged for everything outside it. Rounding of
// its sums makes δ larger or smaller, as `side` says.
class WindowedLoss {
 public:
  // `masses[i]`: probability of the loss first_loss + i·mesh. `charge` is added to every δ.
  WindowedLoss(Side side, double mesh, double first_loss, std::vector<double> masses,
               double charge);

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

}  // namespace sotto::accounting
