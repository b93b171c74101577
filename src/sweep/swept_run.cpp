#include "sweep/swept_run.h"

#include <limits>
#include <string>
#include <utility>

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

void look_at(const runs::RunRecord& record, SweptRun& run) {
  const auto broken = why_it_does_not_hold(record);
  if (run.is_finished()) run.outcome.message = broken;
  object_to_charge(run, broken);
  if (record.held_out_epsilon()) object_to_charge(run, kByHeldOutRecords);
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
  const bool holds = record && record->contradictions().empty();
  return holds ? record->epsilon() : std::numeric_limits<double>::infinity();
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
