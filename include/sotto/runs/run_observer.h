// Progress reports for whoever is waiting for a run.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace sotto::runs {

struct Progress {
  std::int64_t step = 0;
  std::int64_t steps = 0;
  std::optional<double>
      loss;  // of private records only where that was asked for: ε does not cover it
  std::optional<double> epsilon;        // spent, or a little more
  std::optional<double> epsilon_limit;  // what the whole run may spend
  double samples_per_second = 0;
  double seconds_left = 0;
};

class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void on_message(const std::string& /*text*/) {}
  // For the curious only: which path computes the gradients, and why.
  virtual void on_detail(const std::string& /*text*/) {}
  virtual void on_progress(const Progress& /*progress*/) {}
  // Asked after each step. If true, the run is saved and ends with Interrupted.
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

}  // namespace sotto::runs
