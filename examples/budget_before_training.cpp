// How much noise does a planned run need, and what may then be promised?
#include <iostream>

#include "sotto/accounting/accounting.h"

int main() {
  using namespace sotto::accounting;
  TrainingRunOptions plan;
  plan.dataset_size = 60000;
  plan.batch_size = 256;
  plan.epochs = 30;
  const TrainingRun run(plan);
  const Neighbours neighbours(Adjacency::kAddRemove);

  const double noise = smallest_noise_multiplier(
      {.epsilon = 2, .delta = 1e-5}, neighbours,
      [&](double sigma) { return run.with_noise_multiplier(sigma).composition(neighbours); });
  const TrainingRun calibrated = run.with_noise_multiplier(noise);
  const PrivacyCost cost = cost_at_delta(calibrated.composition(neighbours), neighbours, 1e-5);
  std::cout << "noise multiplier " << noise << ": epsilon between " << *cost.epsilon_lower
            << " and " << cost.epsilon << '\n'
            << privacy_statement(calibrated, neighbours, cost).promise << '\n';
  return cost.epsilon <= 2 ? 0 : 1;
}
