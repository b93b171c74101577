// A whole training run: data in; model, metrics and proof of privacy out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sotto/accounting/privacy_cost.h"
#include "sotto/private/norm_statistics.h"
#include "sotto/train/evaluation.h"
#include "sotto/train/training_config.h"

namespace sotto::train {

// While it runs. The losses are means over training samples, without noise: for the one who trains,
// not for publication.
struct Progress {
  std::int64_t step = 0;
  std::int64_t steps = 0;
  double train_loss = 0;
  std::optional<double> epsilon;
  double samples_per_second = 0;
  double seconds_left = 0;
};

struct EpochReport {
  std::int64_t epoch = 0;  // from 1
  std::int64_t epochs = 0;
  std::int64_t step = 0;
  double train_loss = 0;
  double test_loss = 0;
  double test_accuracy = 0;
  std::optional<double> epsilon;
  std::optional<double> best_order;  // of the RDP bound
  double seconds = 0;
  // With show_norms, of the steps that this process made in the epoch. Not covered by ε.
  std::optional<NormSummary> norms;
};

class TrainingObserver {
 public:
  virtual ~TrainingObserver() = default;
  virtual void on_message(const std::string& /*text*/) {}
  // For the curious only: which path computes the gradients, and why.
  virtual void on_detail(const std::string& /*text*/) {}
  virtual void on_progress(const Progress& /*progress*/) {}
  virtual void on_epoch(const EpochReport& /*report*/) {}
  // Asked after each step. If true, the run is saved and ends with Interrupted.
  virtual bool stop_requested() { return false; }
};

// The observer asked to stop. Everything done so far is in the checkpoint.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Seconds of training that went into something.
struct ProfileEntry {
  std::string what;
  double seconds = 0;
};

struct TrainingResult {
  Evaluation test;
  double train_loss = 0;
  std::optional<NormSummary> norms;  // of the last epoch, with show_norms
  // Nothing without privacy.
  std::optional<accounting::PrivacyCost> spent;
  bool is_private = false;
  double noise_multiplier = 0;
  std::int64_t steps = 0;
  std::int64_t discarded = 0;
  double seconds = 0;
  double samples_per_second = 0;
  std::vector<ProfileEntry> profile;  // of this process; adds up to its time in training
  std::string statement;              // in plain words, with capitals where it is not private
};

// Runs the configuration and leaves in `output`: config.json, ledger.jsonl, checkpoint.pt (while it
// runs), metrics.jsonl, model.pt, evaluation.json, privacy.json, privacy.md and
// report.html. `output` must not
// exist, or be an empty folder. Throws InvalidArgument for what the configuration gets wrong,
// before anything is charged; std::runtime_error if training fails.
TrainingResult train(const TrainingConfig& config, const std::filesystem::path& output,
                     TrainingObserver& observer);

// Continues an interrupted run from its folder: from the last checkpoint's weights, and from the
// ledger's spend. A finished run gives its result again.
TrainingResult resume(const std::filesystem::path& output, TrainingObserver& observer);

}  // namespace sotto::train
