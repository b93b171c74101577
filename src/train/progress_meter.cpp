#include "train/progress_meter.h"

#include <algorithm>

namespace sotto::train {
namespace {

constexpr double kReportSeconds = 0.25;
constexpr double kEpsilonSeconds = 2;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

ProgressMeter::ProgressMeter(const TrainingState& state, TrainingObserver& observer)
    : state_(state), observer_(observer), start_(Clock::now()), first_step_(state.step) {}

void ProgressMeter::start() {
  start_ = Clock::now();
  first_step_ = state_.step;
}

double ProgressMeter::seconds_here() const { return seconds_since(start_); }

double ProgressMeter::steps_per_second() const {
  return static_cast<double>(state_.step - first_step_) / std::max(1e-3, seconds_here());
}

// What will have been spent when it is computed next, so that what is shown is never too low.
std::optional<double> ProgressMeter::epsilon_ahead() const {
  if (!state_.engine) return std::nullopt;
  const auto& engine = *state_.engine;
  const double delta = state_.config.delta;
  if (!engine.is_private()) return engine.privacy_spent(delta).epsilon;
  const auto ahead = static_cast<std::int64_t>(2 * kEpsilonSeconds * steps_per_second()) + 1;
  const auto steps = std::min(engine.step_limit(), state_.step + ahead);
  const auto repeated = std::max<std::int64_t>(
      0, engine.threshold_searches() - engine.plan().threshold_searches(state_.step));
  return accounting::cost_at_delta(engine.plan().composition(steps, repeated),
                                   engine.plan().neighbours(), delta)
      .epsilon;
}

void ProgressMeter::report(const std::optional<double>& loss) {
  if (last_report_ && seconds_since(*last_report_) < kReportSeconds) return;
  last_report_ = Clock::now();
  if (!last_epsilon_ || seconds_since(*last_epsilon_) > kEpsilonSeconds) {
    shown_epsilon_ = epsilon_ahead();
    last_epsilon_ = Clock::now();
  }
  const double rate = steps_per_second();
  Progress progress;
  progress.step = state_.step;
  progress.steps = state_.total_steps();
  progress.loss = loss;
  progress.epsilon = shown_epsilon_;
  progress.samples_per_second = rate * static_cast<double>(state_.config.batch_size);
  progress.seconds_left =
      static_cast<double>(progress.steps - progress.step) / std::max(rate, 1e-9);
  observer_.on_progress(progress);
}

}  // namespace sotto::train
