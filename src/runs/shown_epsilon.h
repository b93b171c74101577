// The ε to show beside a step while a run goes on.
#pragma once

#include <chrono>
#include <cstdint>

#include "sotto/plan/plan.h"

namespace sotto::runs {

// Of the steps made where it is computed fast. Where computing takes longer it is computed a little
// ahead, by as much as keeps the time for it small, and shown until the steps get there. What is
// shown is never that of fewer steps than were made; before the first it is what was released
// beside the steps, 0 as a rule.
class ShownEpsilon {
 public:
  explicit ShownEpsilon(double delta) : delta_(delta) {}

  // Of what is `spent`, or of some more steps, up to `step_limit`. `steps_per_second`: how fast
  // they come.
  double of(const Spend& spent, std::int64_t step_limit, double steps_per_second);

 private:
  using Clock = std::chrono::steady_clock;

  void compute(const Spend& spent, std::int64_t step_limit, double steps_per_second);

  double delta_;
  double epsilon_ = 0;
  std::int64_t covered_ = -1;      // steps that epsilon_ is of
  double seconds_to_compute_ = 0;  // one number
  double seconds_to_show_ = 0;     // how long it should last
  Clock::time_point computed_;
};

// Of a run that goes on from `spent` to so many steps in all.
double epsilon_after(std::int64_t steps, const Spend& spent, double delta);

}  // namespace sotto::runs
