// What a run reports: its progress, to whoever is waiting for it, and how good the model is on
// records held out of private data.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sotto/accounting/guarantee.h"
#include "sotto/core/error.h"

namespace sotto::runs {

struct Progress {
  std::int64_t step = 0;
  std::int64_t steps = 0;
  // Of private records only where that was asked for: ε does not cover it.
  std::optional<double> loss;
  std::optional<double> epsilon;        // spent, or a little more
  std::optional<double> epsilon_limit;  // what the whole run may spend
  double samples_per_second = 0;
  std::optional<double> seconds_left;  // nothing before the first step
};

class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void on_message(const std::string& /*text*/) {}
  // Before anything is charged: half a sentence, which names settings by the_setting().
  virtual void on_warning(const std::string& text) { on_message("WARNING: " + worded(text)); }
  // For the curious: which path computes the gradients, and why.
  virtual void on_detail(const std::string& /*text*/) {}
  virtual void on_progress(const Progress& /*progress*/) {}
  // Asked after each step. If true, the run is saved and ends with Interrupted; shuffled runs end
  // their pass before, which is charged as a whole.
  virtual bool stop_requested() { return false; }
};

// The observer asked to stop. Everything done so far is in the checkpoint.
class Interrupted : public std::runtime_error {
 public:
  // What can be done with the run.
  enum class Then { kGoOn, kGoOnOrPublish };

  explicit Interrupted(const std::string& message, Then then = Then::kGoOn)
      : std::runtime_error(message), then_(then) {}

  Then then() const { return then_; }

 private:
  Then then_;
};

// On held-out records of one class.
struct AnswerCounts {
  std::int64_t right = 0;
  std::int64_t wrong = 0;
};

// How a run releases how good its model is on records held out of private data: once, with noise.
// A record is held out or trained on by its own content alone, so neighbours under add-remove and
// zero-out differ on one side only, and what is promised of both sides together is the larger (ε,
// δ) of the two (parallel composition). (ε, 0)-private under both adjacencies.
struct HeldOutTerms {
  double epsilon = 0;
  accounting::Adjacency adjacency = accounting::Adjacency::kAddRemove;
  std::optional<std::uint64_t> insecure_seed = {};  // of the noise: NOT PRIVATE
};

// What was released.
struct HeldOutRelease {
  double epsilon = 0;
  accounting::Adjacency adjacency = accounting::Adjacency::kAddRemove;
  std::vector<AnswerCounts> counts;  // by class, each number with noise of its own; may be below 0

  // Of one number's noise.
  double noise_deviation() const;
  // Right answers as a share of all, in [0, 1]; nothing where noise leaves no records.
  std::optional<double> accuracy() const;
  // Standard deviation of the accuracy that the noise alone causes, about.
  std::optional<double> accuracy_error() const;
};

}  // namespace sotto::runs
