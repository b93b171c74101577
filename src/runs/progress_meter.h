// How far and how fast a run goes: for whoever waits.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "sotto/runs/runs.h"

namespace sotto::runs {

// Where a run stands when its meter starts.
struct MeteredRun {
  std::int64_t steps = 0;                    // in all
  std::int64_t first_step = 0;               // made before
  std::int64_t samples_per_step = 0;         // expected
  double seconds_before = 0;                 // spent by processes before this one
  std::optional<double> epsilon_limit = {};  // its target, or what all its steps cost
};

class ProgressMeter {
 public:
  // The observer must outlive it. Time counts from here, or from start().
  ProgressMeter(RunObserver& observer, const MeteredRun& run);
  void start();

  // True four times a second at most: time to call tell().
  bool due();
  // `loss`: nothing where it would describe private records.
  void tell(std::int64_t step, const std::optional<double>& loss,
            const std::optional<double>& epsilon);
  // Throws Interrupted if the observer wants to stop. `then`: what resuming does.
  void stop_if_asked(const std::string& then) const;

  // Of the run: in this process, and with what was before it.
  double seconds_here() const;
  double total_seconds() const { return run_.seconds_before + seconds_here(); }
  double steps_per_second(std::int64_t step) const;
  double samples_per_second(std::int64_t step) const;

 private:
  using Clock = std::chrono::steady_clock;

  RunObserver* observer_;  // not owned
  MeteredRun run_;
  Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> last_told_;
};

}  // namespace sotto::runs
