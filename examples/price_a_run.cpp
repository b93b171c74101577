#include <iostream>

#include "sotto/accounting/accounting.h"

using namespace sotto::accounting;

int main() {
  // 3000 steps of DP-SGD: each record is in a batch with probability 1 %, noise multiplier 1.1.
  const Composition run(PoissonGaussianEvent(0.01, 1.1), 3000);
  const PrivacyCost cost = cost_at_delta(run, Neighbours(Adjacency::kAddRemove), 1e-5);
  std::cout << *cost.epsilon_lower << " <= epsilon <= " << cost.epsilon << '\n';
}
