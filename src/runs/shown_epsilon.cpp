#include "runs/shown_epsilon.h"

#include <algorithm>

#include "sotto/accounting/privacy_cost.h"

namespace sotto::runs {
namespace {

constexpr std::chrono::seconds kBetweenComputations{2};

// Enough for twice as long at twice the speed, and not so many that the number means nothing.
std::int64_t steps_ahead(double steps_per_second) {
  const double ahead = 2 * static_cast<double>(kBetweenComputations.count()) * steps_per_second;
  return static_cast<std::int64_t>(std::clamp(ahead, 0.0, 1e9)) + 1;
}

}  // namespace

double ShownEpsilon::of(const Spend& spent, std::int64_t step_limit, double steps_per_second) {
  const bool outgrown = spent.steps > covered_;
  if (outgrown || Clock::now() - computed_ > kBetweenComputations) {
    compute(spent, step_limit, steps_per_second);
  }
  return epsilon_;
}

void ShownEpsilon::compute(const Spend& spent, std::int64_t step_limit, double steps_per_second) {
  covered_ =
      std::max(spent.steps, std::min(step_limit, spent.steps + steps_ahead(steps_per_second)));
  const auto ahead = spent.plan.composition(covered_, spent.repeated_searches());
  epsilon_ = accounting::cost_at_delta(ahead, spent.plan.neighbours(), delta_).epsilon;
  computed_ = Clock::now();
}

}  // namespace sotto::runs
