#include "accounting/privacy_pair.h"

#include <algorithm>
#include <cmath>

namespace sotto::accounting {

double hockey_stick(const PrivacyPair& pair, double epsilon) {
  // The supremum is attained on {loss > ε}, an upper half-line.
  const double z = pair.point_at_loss(epsilon);
  const Masses above = pair.cut(z).above;
  return std::clamp(above.p - std::exp(epsilon) * above.q, 0.0, 1.0);
}

}  // namespace sotto::accounting
