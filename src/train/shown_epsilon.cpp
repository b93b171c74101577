#include "train/shown_epsilon.h"

#include <algorithm>
#include <limits>

namespace sotto::train {
namespace {

constexpr std::chrono::seconds kBetween{2};

// Enough for twice as long at twice the speed, and not so many that the number means nothing.
std::int64_t steps_ahead(double steps_per_second) {
  const double ahead = 2 * static_cast<double>(kBetween.count()) * steps_per_second;
  return static_cast<std::int64_t>(std::clamp(ahead, 0.0, 1e9)) + 1;
}

}  // namespace

double ShownEpsilon::of(const PrivacyEngine& engine, double steps_per_second) {
  if (!engine.is_private()) return std::numeric_limits<double>::infinity();
  const bool outgrown = engine.steps() > covered_;
  if (outgrown || Clock::now() - computed_ > kBetween) compute(engine, steps_per_second);
  return epsilon_;
}

void ShownEpsilon::compute(const PrivacyEngine& engine, double steps_per_second) {
  const auto& plan = engine.plan();
  const auto repeated = engine.spend().repeated_searches();
  covered_ = std::max(engine.steps(), std::min(engine.step_limit(),
                                               engine.steps() + steps_ahead(steps_per_second)));
  epsilon_ =
      accounting::cost_at_delta(plan.composition(covered_, repeated), plan.neighbours(), delta_)
          .epsilon;
  computed_ = Clock::now();
}

}  // namespace sotto::train
