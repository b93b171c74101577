#include "sweep/swept_run.h"

#include <limits>
#include <string>
#include <utility>

#include "runs/held_out_json.h"
#include "runs/json_file.h"

namespace sotto::sweep {
namespace {

constexpr const char* kByHeldOutRecords =
    "its accuracy is a release about held-out private records, and choosing by those has no "
    "analysis here; give public test rows";

std::string without_full_stop(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// Half a sentence; "" if its promise holds.
std::string why_it_does_not_hold(const runs::RunRecord& record) {
  if (record.contradictions().empty()) return "";
  return "its promise does not hold: " + without_full_stop(record.contradictions().front());
}

// A finished run's record; of another run, what it has charged so far.
std::optional<runs::RunRecord> record_of(const std::filesystem::path& run_folder, bool finished) {
  if (finished) return runs::RunRecord::read(run_folder);
  return runs::RunRecord::read_charged(run_folder);
}

// A charge that has a price may still not do for a choice, which no ledger can tell.
void object_to_charge(SweptRun& run, const std::string& why) {
  if (run.charge.unbounded.empty() && !why.empty()) run.charge = {.unbounded = why};
}

// Also of a release whose ledger is damaged or gone. What cannot be told counts as one.
bool has_held_out_release(const std::filesystem::path& run_folder) {
  for (const char* name : {runs::kHeldOutLedger, runs::kHeldOutRelease}) {
    std::error_code unknown;
    const auto kind = std::filesystem::status(run_folder / name, unknown).type();
    if (kind != std::filesystem::file_type::not_found) return true;
  }
  return false;
}

// Earlier versions tested on the held-out records of a table as they are.
bool chose_by_private_records(const runs::RunRecord& record) {
  return record.held_out_epsilon() || record.has_dropped_evaluation();
}

void look_at(const runs::RunRecord& record, SweptRun& run) {
  const auto broken = why_it_does_not_hold(record);
  if (run.is_finished()) run.outcome.message = broken;
  object_to_charge(run, broken);
  if (chose_by_private_records(record)) object_to_charge(run, kByHeldOutRecords);
  // Of an interrupted run: its files are damaged, or contradict each other.
  if (!record.is_private()) object_to_charge(run, "no ε holds for what it was charged");
  // A ledger that is gone must not make the tuning cheaper.
  if (run.is_finished() && !run.charge.ledger) {
    object_to_charge(run, "it has finished, but has no ledger");
  }
}

void cannot_read(const std::string& why, SweptRun& run) {
  if (run.is_finished()) run.outcome.message = why;
  object_to_charge(run, "its folder cannot be read: " + why);
}

}  // namespace

std::optional<double> SweptRun::accuracy() const {
  return record ? record->accuracy() : std::nullopt;
}

std::optional<double> SweptRun::loss() const { return record ? record->loss() : std::nullopt; }

double SweptRun::epsilon() const {
  if (!is_finished()) return runs::epsilon_of(charge);
  return record ? record->epsilon() : std::numeric_limits<double>::infinity();
}

std::optional<double> SweptRun::delta() const {
  return record ? runs::number_in(record->privacy(), "delta") : std::nullopt;
}

double SweptRun::seconds() const {
  const auto trained = record ? record->seconds() : std::nullopt;
  return trained.value_or(outcome.seconds);
}

SweptRun swept_run(const std::filesystem::path& run_folder, RunOutcome outcome) {
  SweptRun run{.outcome = std::move(outcome), .charge = runs::charge_of(run_folder)};
  if (has_held_out_release(run_folder)) object_to_charge(run, kByHeldOutRecords);
  try {
    auto record = record_of(run_folder, run.is_finished());
    if (!record) return run;
    look_at(*record, run);
    if (run.is_finished()) run.record = std::move(record);
  } catch (const std::exception& error) {
    cannot_read(error.what(), run);
  }
  return run;
}

}  // namespace sotto::sweep
