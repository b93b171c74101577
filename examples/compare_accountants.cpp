// A data team releases a noisy histogram, two counts and a model. What did it all cost?
#include <iostream>

#include "sotto/accounting/accounting.h"

int main() {
  using namespace sotto::accounting;
  Composition released;
  released
      .add(LaplaceEvent(10), 1)                      // a histogram
      .add(GaussianEvent(20), 2)                     // two counts
      .add(PoissonGaussianEvent(0.004, 1.1), 3000);  // a model
  const Neighbours neighbours(Adjacency::kAddRemove);

  const Enclosure tight = PldAccountant(released, neighbours).epsilon(1e-6);
  const RdpAccountant rdp(released, neighbours);
  std::cout << "pld:          " << tight.lower << " to " << tight.upper << '\n'
            << "rdp improved: " << rdp.epsilon(1e-6, Conversion::kImproved).epsilon << '\n'
            << "rdp classic:  " << rdp.epsilon(1e-6, Conversion::kClassic).epsilon << '\n';
  return 0;
}
