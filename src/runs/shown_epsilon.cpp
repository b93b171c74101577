#include "runs/shown_epsilon.h"

#include <algorithm>

#include "core/stopwatch.h"
#include "sotto/accounting/privacy_cost.h"

namespace sotto::runs {
namespace {

constexpr double kLongestShown = 2;  // seconds
constexpr double kShortestShown = 0.25;
constexpr double kLongerThanComputed = 20;  // a number is shown for so many times that

// Enough for twice the speed, and not so many that the number means nothing.
std::int64_t steps_ahead(double seconds, double steps_per_second) {
  return static_cast<std::int64_t>(std::clamp(2 * seconds * steps_per_second, 0.0, 1e9)) + 1;
}

}  // namespace

double ShownEpsilon::of(const Spend& spent, std::int64_t step_limit, double steps_per_second) {
  const bool outgrown = spent.steps > covered_;
  const std::chrono::duration<double> age = Clock::now() - computed_;
  if (outgrown || age.count() > seconds_to_show_) compute(spent, step_limit, steps_per_second);
  return epsilon_;
}

void ShownEpsilon::compute(const Spend& spent, std::int64_t step_limit, double steps_per_second) {
  seconds_to_show_ = std::clamp(seconds_to_show_, kShortestShown, kLongestShown);
  covered_ =
      std::max(spent.steps,
               std::min(step_limit, spent.steps + steps_ahead(seconds_to_show_, steps_per_second)));
  double seconds = 0;
  {
    const Stopwatch watch(seconds);
    epsilon_ = epsilon_after(covered_, spent, delta_);
  }
  seconds_to_show_ = std::clamp(kLongerThanComputed * seconds, kShortestShown, kLongestShown);
  computed_ = Clock::now();
}

double epsilon_after(std::int64_t steps, const Spend& spent, double delta) {
  const auto composition = spent.plan.composition(steps, spent.repeated_searches());
  return accounting::cost_at_delta(composition, spent.plan.neighbours(), delta).epsilon;
}

}  // namespace sotto::runs
