// A stranger's project: uses accounting and randomness from the installed library.
#include <cstdio>

#include "core/distributions.h"
#include "sotto/accounting/accounting.h"

int main() {
  using namespace sotto::accounting;
  const auto cost = cost_at_delta({PoissonGaussianEvent(0.01, 1.0), 1000}, Neighbours(), 1e-5);
  sotto::SecureRandom random;
  std::printf("epsilon %.4f, noise %.4f\n", cost.epsilon, sotto::draw_gaussian(1, random));
  return cost.epsilon > 1.8 && cost.epsilon < 1.9 ? 0 : 1;
}
