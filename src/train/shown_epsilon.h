// The ε to show beside a step while a run goes on.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "sotto/engine/privacy_engine.h"

namespace sotto::train {

// Computing ε takes longer than showing it: it is computed ahead, every other second, and shown
// until then. What is shown is never that of fewer steps than were made.
class ShownEpsilon {
 public:
  explicit ShownEpsilon(double delta) : delta_(delta) {}

  // Of the steps that `engine` has charged, or of some more. `steps_per_second`: how fast they
  // come.
  double of(const PrivacyEngine& engine, double steps_per_second);

 private:
  using Clock = std::chrono::steady_clock;

  void compute(const PrivacyEngine& engine, double steps_per_second);

  double delta_;
  double epsilon_ = 0;
  std::int64_t covered_ = -1;  // steps that epsilon_ is of
  Clock::time_point computed_;
};

}  // namespace sotto::train
