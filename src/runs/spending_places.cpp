#include "runs/spending_places.h"

#include <sys/stat.h>

#include <cerrno>
#include <optional>
#include <set>
#include <utility>

#include "core/atomic_file.h"
#include "core/file_steps.h"
#include "plan/ledger.h"
#include "plan/ledger_traces.h"
#include "plan/run_settings.h"
#include "runs/held_out_json.h"
#include "runs/run_charge.h"

namespace sotto::runs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLedger = "ledger.jsonl";

// Nothing if nothing is there, as behind links that lead nowhere or in circles. Throws FileError if
// nobody can tell.
std::optional<struct stat> status_of(const fs::path& place) {
  struct stat status {};
  if (stat(place.c_str(), &status) == 0) return status;
  const int error = errno;
  if (error == ENOENT || error == ENOTDIR || error == ELOOP) return std::nullopt;
  throw FileError(place, "cannot be reached", error);
}

bool has_file(const fs::path& folder, const char* name) {
  const auto status = status_of(folder / name);
  return status && S_ISREG(status->st_mode);
}

// A budget of queries may have taken the name of a ledger that a run has lost.
bool is_run(const fs::path& folder) {
  if (has_file(folder, "privacy.json") || has_file(folder, kHeldOutLedger)) return true;
  const bool has_ledger = has_file(folder, kLedger);
  if (has_ledger && !is_ledger_of_queries(folder / kLedger)) return true;
  if (has_file(folder, kSettingsFile)) return !has_ledger || has_trained(folder);
  // Of a run that has lost both.
  return has_file(folder, "metrics.jsonl") &&
         (has_file(folder, "checkpoint.pt") || has_file(folder, "embedding.pt"));
}

// Of a run's own ledgers the price of the run tells.
bool is_runs_own(const fs::path& file) {
  if (file.filename() == kLedger) return !is_ledger_of_queries(file);
  return file.filename() == kHeldOutLedger && is_held_out_ledger(file);
}

bool holds_charges(const fs::path& file) {
  try {
    const auto ledger = Ledger::read(file);
    return ledger.steps_charged > 0 || !ledger.events.empty();
  } catch (const std::exception&) {
    return false;
  }
}

// What a killed program left of a file that was never there: nothing was charged to it.
bool is_unfinished(const fs::path& file) {
  return is_temporary_name(file.filename().string()) && !holds_charges(file);
}

// What cannot be opened may be one.
bool may_be_ledger(const fs::path& file) {
  const auto start = beginning_of(file);
  return !start || has_traces_of_ledger(*start);
}

// Where there are no files, and reading may never end.
std::set<dev_t> devices_of_the_system() {
  std::set<dev_t> devices;
  for (const char* name : {"/proc", "/sys"}) {
    if (const auto status = status_of(name)) devices.insert(status->st_dev);
  }
  if (const auto root = status_of("/")) devices.erase(root->st_dev);
  return devices;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    entries.push_back(entry->path());
  }
  if (error) throw FileError(folder, "cannot read the folder", error.value());
  return entries;
}

class Search {
 public:
  void visit(const fs::path& folder) {
    if (const auto status = status_of(folder)) visit(folder, *status);
  }

  SpendingPlaces found() && {
    for (auto& [file, number] : ledgers_) {
      if (own_.insert(number).second) places_.ledgers.push_back(std::move(file));
    }
    return std::move(places_);
  }

 private:
  using Number = std::pair<dev_t, ino_t>;  // links may lead to one place twice, or in circles
  static Number number_of(const struct stat& status) { return {status.st_dev, status.st_ino}; }

  void visit(const fs::path& folder, const struct stat& status) {
    if (system_.contains(status.st_dev) || !folders_.insert(number_of(status)).second) return;
    const bool run = is_run(folder);
    if (run) places_.runs.push_back(folder);
    for (const auto& entry : entries_of(folder)) look_at(entry, run);
  }

  void look_at(const fs::path& entry, bool in_run) {
    std::optional<struct stat> status;
    try {
      status = status_of(entry);
    } catch (const FileError&) {
      places_.ledgers.push_back(entry);
      return;
    }
    if (!status || system_.contains(status->st_dev)) return;
    if (S_ISDIR(status->st_mode)) visit(entry, *status);
    if (S_ISREG(status->st_mode)) look_at_file(entry, number_of(*status), in_run);
  }

  void look_at_file(const fs::path& file, const Number& number, bool in_run) {
    if (in_run && is_runs_own(file)) {
      own_.insert(number);
    } else if (!is_unfinished(file) && may_be_ledger(file)) {
      ledgers_.emplace_back(file, number);
    }
  }

  std::set<dev_t> system_ = devices_of_the_system();
  SpendingPlaces places_;
  std::set<Number> folders_;
  std::set<Number> own_;  // ledgers of runs, under whatever other name
  std::vector<std::pair<fs::path, Number>> ledgers_;
};

}  // namespace

SpendingPlaces spending_places_in(const fs::path& folder) {
  Search search;
  search.visit(folder);
  return std::move(search).found();
}

}  // namespace sotto::runs
