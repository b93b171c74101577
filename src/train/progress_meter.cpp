#include "train/progress_meter.h"

#include <algorithm>

namespace sotto::train {
namespace {

constexpr double kReportSeconds = 0.25;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

ProgressMeter::ProgressMeter(const TrainingState& state, TrainingObserver& observer)
    : state_(state),
      observer_(observer),
      start_(Clock::now()),
      first_step_(state.step),
      shown_epsilon_(state.config.delta) {}

void ProgressMeter::start() {
  start_ = Clock::now();
  first_step_ = state_.step;
}

double ProgressMeter::seconds_here() const { return seconds_since(start_); }

double ProgressMeter::steps_per_second() const {
  return static_cast<double>(state_.step - first_step_) / std::max(1e-3, seconds_here());
}

void ProgressMeter::report(const std::optional<double>& loss) {
  if (last_report_ && seconds_since(*last_report_) < kReportSeconds) return;
  last_report_ = Clock::now();
  const double rate = steps_per_second();
  Progress progress;
  progress.step = state_.step;
  progress.steps = state_.total_steps();
  progress.loss = loss;
  if (state_.engine) progress.epsilon = shown_epsilon_.of(*state_.engine, rate);
  progress.samples_per_second = rate * static_cast<double>(state_.config.batch_size);
  progress.seconds_left =
      static_cast<double>(progress.steps - progress.step) / std::max(rate, 1e-9);
  observer_.on_progress(progress);
}

}  // namespace sotto::train
