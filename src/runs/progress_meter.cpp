#include "runs/progress_meter.h"

#include <algorithm>

namespace sotto::runs {
namespace {

constexpr auto kBetweenReports = std::chrono::milliseconds(250);

}  // namespace

ProgressMeter::ProgressMeter(RunObserver& observer, const MeteredRun& run)
    : observer_(&observer), run_(run) {}

void ProgressMeter::start() { start_ = Clock::now(); }

bool ProgressMeter::due() {
  const auto now = Clock::now();
  if (last_told_ && now - *last_told_ < kBetweenReports) return false;
  last_told_ = now;
  return true;
}

void ProgressMeter::tell(std::int64_t step, const std::optional<double>& loss,
                         const std::optional<double>& epsilon) {
  Progress progress;
  progress.step = step;
  progress.steps = run_.steps;
  progress.loss = loss;
  progress.epsilon = epsilon;
  progress.epsilon_limit = run_.epsilon_limit;
  progress.samples_per_second = samples_per_second(step);
  if (step > run_.first_step) {
    progress.seconds_left =
        static_cast<double>(run_.steps - step) / std::max(steps_per_second(step), 1e-9);
  }
  observer_->on_progress(progress);
}

void ProgressMeter::stop_if_asked(const std::string& then) const {
  if (!observer_->stop_requested()) return;
  throw Interrupted("stopped; nothing that was paid for is lost: if the run is resumed, " + then);
}

double ProgressMeter::seconds_here() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

double ProgressMeter::steps_per_second(std::int64_t step) const {
  return static_cast<double>(step - run_.first_step) / std::max(1e-3, seconds_here());
}

double ProgressMeter::samples_per_second(std::int64_t step) const {
  return steps_per_second(step) * static_cast<double>(run_.samples_per_step);
}

}  // namespace sotto::runs
