#include "runs/shown_epsilon.h"

#include <algorithm>

#include "core/stopwatch.h"
#include "sotto/accounting/privacy_cost.h"

namespace sotto::runs {
namespace {

constexpr double kLongestShown = 2;  // seconds
// A number is shown for so many times what it took to compute: for less in a run that would be over
// before long, where looking so far ahead would say little.
constexpr double kLongerThanComputed = 20;
constexpr double kAtLeastLonger = 10;
constexpr double kPartOfRun = 0.02;
// Whoever asks does so this often at most.
constexpr double kBetweenQuestions = 0.25;

double seconds_to_show(double computing, double run_seconds) {
  const double seconds = std::clamp(kPartOfRun * run_seconds, kAtLeastLonger * computing,
                                    kLongerThanComputed * computing);
  return std::min(seconds, kLongestShown);
}

// None where the next question comes when the number may be computed anew.
std::int64_t steps_ahead(double seconds, double steps_per_second) {
  if (seconds <= kBetweenQuestions) return 0;
  return static_cast<std::int64_t>(std::clamp(seconds * steps_per_second, 0.0, 1e9)) + 1;
}

}  // namespace

double ShownEpsilon::of(const Spend& spent, std::int64_t step_limit, double steps_per_second) {
  const bool outgrown = spent.steps > covered_;
  const std::chrono::duration<double> age = Clock::now() - computed_;
  const bool may_be_closer = spent.steps < covered_ && age.count() > seconds_to_show_;
  if (outgrown || may_be_closer) compute(spent, step_limit, steps_per_second);
  return epsilon_;
}

void ShownEpsilon::compute(const Spend& spent, std::int64_t step_limit, double steps_per_second) {
  const double run_seconds = static_cast<double>(step_limit) / std::max(steps_per_second, 1e-9);
  seconds_to_show_ = seconds_to_show(seconds_to_compute_, run_seconds);
  covered_ =
      std::max(spent.steps,
               std::min(step_limit, spent.steps + steps_ahead(seconds_to_show_, steps_per_second)));
  seconds_to_compute_ = 0;
  {
    const Stopwatch watch(seconds_to_compute_);
    epsilon_ = epsilon_after(covered_, spent, delta_);
  }
  computed_ = Clock::now();
}

double epsilon_after(std::int64_t steps, const Spend& spent, double delta) {
  const auto composition = spent.plan.composition(steps, spent.repeated_searches());
  return accounting::cost_at_delta(composition, spent.plan.neighbours(), delta).epsilon;
}

}  // namespace sotto::runs
