// A stranger's project: uses accounting and randomness from the installed library.
#include <cstdio>

#include "sotto/accounting/accounting.h"
#include "sotto/core/random.h"
#include "sotto/mechanisms/mechanisms.h"

int main() {
  using namespace sotto::accounting;
  const auto cost = cost_at_delta({PoissonGaussianEvent(0.01, 1.0), 1000}, Neighbours(), 1e-5);
  sotto::SecureRandom random;
  const sotto::mechanisms::DiscreteLaplace noise(1, 1);
  std::printf("epsilon %.4f, noise %ld\n", cost.epsilon, static_cast<long>(noise.draw(random)));
  return cost.epsilon > 1.8 && cost.epsilon < 1.9 ? 0 : 1;
}
