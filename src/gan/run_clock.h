// Tells the one who waits how far a run is.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "sotto/train/trainer.h"

namespace sotto::gan {

class RunClock {
 public:
  // Starts now, at step `first` of `steps`.
  RunClock(train::TrainingObserver& observer, std::int64_t steps, std::int64_t first = 0);

  // True four times a second at most: time to tell.
  bool due();
  // Tells if it is due.
  // `loss`: nothing where it would tell about private records.
  void tell(std::int64_t step, const std::optional<double>& loss,
            const std::optional<double>& epsilon, std::int64_t samples_a_step);
  void tell_now(std::int64_t step, const std::optional<double>& loss,
                const std::optional<double>& epsilon, std::int64_t samples_a_step);
  // Throws train::Interrupted if the observer wants to stop. `then`: what resuming does.
  void stop_if_asked(const std::string& then);
  double seconds() const;
  double steps_per_second(std::int64_t step) const;

 private:
  using Clock = std::chrono::steady_clock;
  train::TrainingObserver& observer_;
  std::int64_t steps_;
  std::int64_t first_;
  Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> last_;
};

}  // namespace sotto::gan
