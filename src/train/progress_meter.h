// How far and how fast a run goes: for the one who waits.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "sotto/train/trainer.h"
#include "train/shown_epsilon.h"
#include "train/training_state.h"

namespace sotto::train {

class ProgressMeter {
 public:
  // Both must outlive it. Time and steps count from here, or from start().
  ProgressMeter(const TrainingState& state, TrainingObserver& observer);
  void start();

  // Tells the observer, four times a second at most.
  void report(const std::optional<double>& loss);

  // Of training: in this process, and with what was before it.
  double seconds_here() const;
  double total_seconds() const { return state_.seconds_before + seconds_here(); }
  double steps_per_second() const;

 private:
  using Clock = std::chrono::steady_clock;

  const TrainingState& state_;
  TrainingObserver& observer_;
  Clock::time_point start_;
  std::int64_t first_step_;
  std::optional<Clock::time_point> last_report_;
  ShownEpsilon shown_epsilon_;
};

}  // namespace sotto::train
