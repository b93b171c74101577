#include "explore/affordable.h"

#include "explore/precision.h"
#include "sotto/accounting/calibration.h"
#include "sotto/core/error.h"

namespace sotto::explore {

using accounting::EpsilonDelta;
using accounting::TrainingRun;
using Json = nlohmann::ordered_json;

namespace {

// Bounds of this precision are safe, and so are answers found with them: to within a few percent
// the least noise, or the most epochs.
constexpr Precision kSearched = Precision::kCurve;

const accounting::Neighbours kNeighbours;

// Thrown out of a search that has used up its time.
struct OutOfTime {};

class Timer {
 public:
  explicit Timer(std::chrono::milliseconds limit) : end_(Clock::now() + limit) {}
  void check() const {
    if (Clock::now() >= end_) throw OutOfTime();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point end_;
};

constexpr const char* kAskBudget =
    "not found in the time this page allows itself: ask sotto budget --target-epsilon";

double epsilon_of(const TrainingRun& run, double delta, Precision precision) {
  return cost_at_delta(run.composition(kNeighbours), kNeighbours, delta,
                       accounting_options(precision))
      .epsilon;
}

}  // namespace

Json noise_needed(const Settings& settings, std::chrono::milliseconds time_limit) {
  const Timer timer(time_limit);
  const TrainingRun run = settings.run();
  const EpsilonDelta target{settings.target_epsilon, settings.delta};
  try {
    const double found = smallest_noise_multiplier(
        target, kNeighbours,
        [&](double noise) {
          timer.check();
          return run.with_noise_multiplier(noise).composition(kNeighbours);
        },
        accounting_options(kSearched));
    return {{"noise_multiplier", found}};
  } catch (const OutOfTime&) {
    return {{"noise_multiplier", nullptr}, {"reason", kAskBudget}};
  } catch (const InvalidArgument&) {
    return {{"noise_multiplier", nullptr},
            {"reason", "none up to 1e6 at the precision of this page: ask sotto budget"}};
  }
}

Json epochs_affordable(const Settings& settings, std::chrono::milliseconds time_limit) {
  const Timer timer(time_limit);
  const TrainingRun run = settings.run();
  const EpsilonDelta target{settings.target_epsilon, settings.delta};
  const auto limit = static_cast<std::int64_t>(kMostEpochs);
  try {
    const std::int64_t epochs = most_rounds(
        target, kNeighbours,
        [&](std::int64_t count) {
          timer.check();
          return run.with_epochs(count).composition(kNeighbours);
        },
        limit, accounting_options(kSearched));
    if (epochs > 0) return {{"epochs", epochs}, {"at_limit", epochs == limit}};
  } catch (const OutOfTime&) {
    return {{"epochs", nullptr}, {"reason", kAskBudget}};
  }
  // Not even one is a hard word: not without looking as closely as possible.
  if (epsilon_of(run.with_epochs(1), settings.delta, Precision::kFull) <= target.epsilon) {
    return {{"epochs", 1}, {"at_limit", false}};
  }
  return {{"epochs", 0}, {"reason", "not even one: add noise or make batches smaller"}};
}

}  // namespace sotto::explore
