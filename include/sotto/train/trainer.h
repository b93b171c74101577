// A whole training run: data in; model, metrics and proof of privacy out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sotto/accounting/privacy_cost.h"
#include "sotto/plan/norm_statistics.h"
#include "sotto/runs/runs.h"
#include "sotto/settings/training_config.h"
#include "sotto/train/evaluation.h"

namespace sotto::train {

using Method = settings::TrainingMethod;
using settings::CliplessConfig;
using settings::GradientPath;
using settings::OptimizerKind;
using settings::TrainingConfig;

struct EpochReport {
  std::int64_t epoch = 0;  // from 1
  std::int64_t epochs = 0;
  std::int64_t step = 0;
  // Mean over training samples, without noise: with show_private, or without privacy.
  std::optional<double> train_loss;
  // On test records that may be looked at.
  std::optional<double> test_loss;
  std::optional<double> test_accuracy;
  // On private held-out records, without noise: with show_private.
  std::optional<double> held_out_loss;
  std::optional<double> held_out_accuracy;
  std::optional<double> epsilon;
  std::optional<double> best_order;  // of the RDP bound
  double seconds = 0;
  // With show_norms, of the steps that this process made in the epoch. Not covered by ε.
  std::optional<NormSummary> norms;
};

class TrainingObserver : public runs::RunObserver {
 public:
  virtual void on_epoch(const EpochReport& /*report*/) {}
};

// Seconds of training that went into something.
struct ProfileEntry {
  std::string what;
  double seconds = 0;
};

struct TrainingResult {
  std::optional<Evaluation> test;                // on test records that may be looked at
  std::optional<runs::HeldOutRelease> held_out;  // on private ones, released once
  // Of that release, even if it was paid for and lost.
  std::optional<runs::HeldOutTerms> held_out_terms;
  std::optional<double> train_loss;  // as in EpochReport, of the last epoch
  std::optional<NormSummary> norms;  // of the last epoch, with show_norms
  // What training and held-out release cost: the larger of the two. Nothing without privacy.
  std::optional<accounting::PrivacyCost> spent;
  bool is_private = false;
  double noise_multiplier = 0;
  std::int64_t steps = 0;
  std::optional<std::int64_t> planned_steps;  // of a run that finish() ended before its last
  std::optional<std::int64_t> discarded;      // as train_loss
  double seconds = 0;                         // of training, without features
  // Of features that were computed beforehand, by this process.
  std::optional<double> features_seconds;
  std::string recipe;  // where defaults came from; empty if the settings name none
  double samples_per_second = 0;
  std::vector<ProfileEntry> profile;  // of this process; adds up to its time in training
  std::string statement;              // in plain words, with capitals where it is not private
  std::string divergence;             // what is wrong with the model, if training went astray

  // Exact or noised, whichever there is.
  std::optional<double> accuracy() const {
    if (test) return test->accuracy;
    return held_out ? held_out->accuracy() : std::nullopt;
  }
};

// Runs the configuration and leaves in `output`: config.json, ledger.jsonl, checkpoint.pt (while it
// runs), metrics.jsonl, model.pt, evaluation.json, privacy.json, privacy.md, files.json,
// report.html, and for held-out records held_out.jsonl and held_out.json. None of them holds
// anything computed from private records without noise; metrics.private.jsonl and
// evaluation.private.json do, where that was asked for. `output` must not exist, or be an empty
// folder. Throws InvalidArgument for what the configuration gets wrong, before anything is charged;
// std::runtime_error if training fails, runs::Interrupted if the observer asks to stop.
TrainingResult train(const TrainingConfig& config, const std::filesystem::path& output,
                     TrainingObserver& observer);

// Continues an interrupted run from its folder: from the last checkpoint's weights, and from the
// ledger's spend. A finished run returns its result; one that finish() ended early is refused.
TrainingResult resume(const std::filesystem::path& output, TrainingObserver& observer);

// Ends an interrupted run where it is: publishes the model of its last checkpoint, at the price of
// everything that its ledger charged, and trains no further. Throws InvalidArgument if there is no
// checkpoint. Calling it again returns the same result.
TrainingResult finish(const std::filesystem::path& output, TrainingObserver& observer);

}  // namespace sotto::train
