#include "gan/run_clock.h"

#include <algorithm>

namespace sotto::gan {

RunClock::RunClock(train::TrainingObserver& observer, std::int64_t steps, std::int64_t first)
    : observer_(observer), steps_(steps), first_(first) {}

double RunClock::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

double RunClock::steps_per_second(std::int64_t step) const {
  return static_cast<double>(step - first_) / std::max(1e-9, seconds());
}

bool RunClock::due() {
  constexpr auto kBetween = std::chrono::milliseconds(250);
  const auto now = Clock::now();
  if (last_ && now - *last_ < kBetween) return false;
  last_ = now;
  return true;
}

void RunClock::tell(std::int64_t step, const std::optional<double>& loss,
                    const std::optional<double>& epsilon, std::int64_t samples_a_step) {
  if (due()) tell_now(step, loss, epsilon, samples_a_step);
}

void RunClock::tell_now(std::int64_t step, const std::optional<double>& loss,
                        const std::optional<double>& epsilon, std::int64_t samples_a_step) {
  train::Progress progress;
  progress.step = step;
  progress.steps = steps_;
  progress.loss = loss;
  progress.epsilon = epsilon;
  const double rate = steps_per_second(step);
  progress.samples_per_second = rate * static_cast<double>(samples_a_step);
  progress.seconds_left = rate > 0 ? static_cast<double>(steps_ - step) / rate : 0;
  observer_.on_progress(progress);
}

void RunClock::stop_if_asked(const std::string& then) {
  if (!observer_.stop_requested()) return;
  throw train::Interrupted(
      "stopped; nothing that was paid for is lost: with --resume and the same "
      "--output " +
      then);
}

}  // namespace sotto::gan
