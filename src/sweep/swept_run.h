// One run of a sweep: how its process ended, what its folder says, and what it has cost.
#pragma once

#include <filesystem>
#include <optional>

#include "runs/run_charge.h"
#include "runs/run_record.h"
#include "sweep/run_outcome.h"

namespace sotto::sweep {

struct SweptRun {
  // Of a finished run its message says why its folder cannot be read, or promises nothing.
  RunOutcome outcome = {};
  std::optional<runs::RunRecord> record = {};  // of a finished run whose folder can be read
  runs::RunCharge charge = {};                 // what counts for choosing in view of the run

  bool is_finished() const { return outcome.status == RunStatus::kFinished; }
  // Of the test data; nothing where training diverged, or did not finish.
  std::optional<double> accuracy() const;
  std::optional<double> loss() const;
  // What a finished run promises, infinite where that is not proved; of any other, what its ledger
  // has charged.
  double epsilon() const;
  // Of a finished run, also where its noise came from a seed; nothing without privacy.
  std::optional<double> delta() const;
  double seconds() const;  // of training; if that did not finish, of its process
};

// Reads and verifies what is in the run's folder. Never throws for that: a run that nobody can
// price is charged without bound.
SweptRun swept_run(const std::filesystem::path& run_folder, RunOutcome outcome);

}  // namespace sotto::sweep
