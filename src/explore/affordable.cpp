#include "explore/affordable.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "core/monotone_search.h"
#include "explore/precision.h"

namespace sotto::explore {

namespace {

using Json = nlohmann::ordered_json;

// Bounds of this precision are safe, and so are answers found with them.
constexpr Precision kSearched = Precision::kCurve;
constexpr double kRelativeWidth = 5e-3;

constexpr const char* kAskBudget =
    "not found in the time this page allows itself: ask sotto budget --target-epsilon";

double with_noise(Settings settings, double noise) {
  settings.noise_multiplier = noise;
  return settings.planned(kSearched).cost().epsilon;
}

double with_epochs(Settings settings, std::int64_t epochs, Precision precision) {
  settings.epochs = epochs;
  return settings.planned(precision).cost().epsilon;
}

// The smallest x that keeps to the target, for a cost that falls with x.
class TimedSearch {
 public:
  TimedSearch(std::function<double(double)> epsilon, double target,
              std::chrono::milliseconds time_limit)
      : epsilon_(std::move(epsilon)), target_(target), end_(Clock::now() + time_limit) {}

  // Within [least, most]; near `guess` is fast. Nothing if there is none, or none was found in
  // time; if one was, then the smallest of those.
  std::optional<double> run(double guess, double least, double most) {
    try {
      search(guess, least, most);
    } catch (const OutOfTime&) {
      out_of_time_ = true;
    }
    return best_;
  }

  bool out_of_time() const { return out_of_time_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct OutOfTime {};

  void search(double guess, double least, double most) {
    constexpr double kFirstFactor = 1.3;
    double low = guess;
    double high = guess;
    for (double factor = kFirstFactor; log_excess(high) > 0; factor *= factor) {
      if (high == most) return;
      low = high;
      high = std::min(high * factor, most);
    }
    for (double factor = kFirstFactor; log_excess(low) <= 0; factor *= factor) {
      if (low == least) return;
      high = low;
      low = std::max(low / factor, least);
    }
    smallest_nonpositive(low, high, kRelativeWidth, [this](double x) { return log_excess(x); });
  }

  double log_excess(double x) {
    if (const auto known = known_.find(x); known != known_.end()) return known->second;
    if (Clock::now() >= end_) throw OutOfTime();
    const double excess = std::log(std::max(epsilon_(x), 1e-300) / target_);
    if (excess <= 0) best_ = std::min(best_.value_or(x), x);
    return known_[x] = excess;
  }

  std::function<double(double)> epsilon_;
  double target_;
  Clock::time_point end_;
  std::map<double, double> known_;
  std::optional<double> best_;
  bool out_of_time_ = false;
};

}  // namespace

Json noise_needed(const Settings& settings, std::chrono::milliseconds time_limit) {
  constexpr double kLeastNoise = 0.01;
  const auto epsilon = [&](double noise) { return with_noise(settings, noise); };
  TimedSearch search(epsilon, settings.target_epsilon, time_limit);
  const double guess = settings.noise_multiplier > 0 ? settings.noise_multiplier : 1;
  const auto found =
      search.run(std::clamp(guess, kLeastNoise, kMostNoise), kLeastNoise, kMostNoise);
  if (found) return {{"noise_multiplier", *found}, {"complete", !search.out_of_time()}};
  return {{"noise_multiplier", nullptr},
          {"complete", !search.out_of_time()},
          {"reason", search.out_of_time()
                         ? kAskBudget
                         : "none up to 1e6 at the precision of this page: ask sotto budget"}};
}

Json epochs_affordable(const Settings& settings, std::chrono::milliseconds time_limit) {
  // Cost falls with the inverse of the length.
  const auto epochs_at = [](double inverse) {
    return static_cast<std::int64_t>(std::floor(1 / inverse + 1e-9));
  };
  const auto epsilon = [&](double inverse) {
    return with_epochs(settings, epochs_at(inverse), kSearched);
  };
  TimedSearch search(epsilon, settings.target_epsilon, time_limit);
  const auto found = search.run(1 / static_cast<double>(settings.epochs), 1 / kMostEpochs, 1);
  if (found) {
    const std::int64_t epochs = epochs_at(*found);
    return {{"epochs", epochs},
            {"at_limit", epochs == static_cast<std::int64_t>(kMostEpochs)},
            {"complete", !search.out_of_time()}};
  }
  if (search.out_of_time()) {
    return {{"epochs", nullptr}, {"complete", false}, {"reason", kAskBudget}};
  }
  // Not even one is a hard word: not without looking as closely as possible.
  if (with_epochs(settings, 1, Precision::kFull) <= settings.target_epsilon) {
    return {{"epochs", 1}, {"at_limit", false}, {"complete", true}};
  }
  return {{"epochs", 0},
          {"complete", true},
          {"reason", "not even one: add noise or make batches smaller"}};
}

}  // namespace sotto::explore
