// The privacy plan of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "sotto/accounting/guarantee.h"
#include "sotto/plan/plan.h"
#include "sotto/train/trainer.h"

namespace sotto::train {

// The noise that was given, or else what reaches the target with this plan; a run whose ledger
// exists keeps the noise recorded there. Throws InvalidArgument if the ledger is not of training.
double noise_multiplier_of(const std::optional<double>& given,
                           const accounting::EpsilonDelta& target, const PlanOptions& plan,
                           const std::filesystem::path& ledger);

// The adjacency that was given; a run whose ledger exists keeps the one recorded there, which may
// be an earlier version's default. Nothing if neither says one.
std::optional<accounting::Adjacency> adjacency_of(const std::optional<accounting::Adjacency>& given,
                                                  const std::filesystem::path& ledger);

// What the run sets aside for the accuracy on records that it holds out: what was given, or else
// what the whole plan costs at δ; a run whose ledger exists keeps what is recorded there. Throws
// InvalidSetting for groups, of whose records some may be held out and others not.
double held_out_epsilon_of(const std::optional<double>& given, double delta,
                           const PlanOptions& plan, const std::filesystem::path& ledger);

// What the data are to the plan.
struct PlannedRecords {
  std::int64_t training = 0;
  bool some_held_out = false;  // private ones, for the accuracy; there may be none of them
};

// How gradients come about.
struct PlannedGradients {
  std::optional<BoundedNoise> bounded;  // of the network, for clipless training
  bool fused = false;                   // by fused kernels: batches need no places
};

// What the configuration asks for on so many records. Noise that it leaves open is calibrated to
// the target ε; a run whose ledger exists keeps the noise recorded there.
Plan plan_of(const TrainingConfig& config, const PlannedRecords& records,
             const std::filesystem::path& ledger, const PlannedGradients& gradients);

}  // namespace sotto::train
