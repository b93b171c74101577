// What the training of one run has cost the records' privacy so far, finished or not.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "plan/ledger.h"

namespace sotto::runs {

struct RunCharge {
  // The steps charged; nothing if the run has not touched the data, or if no finite ε holds.
  std::optional<LedgerContents> ledger = {};
  double delta = 0;            // at which the run states its ε
  std::string unbounded = {};  // why no finite ε holds; "" if one does
  bool ended_early = false;    // and published before its last planned step
};

// What to do about queries that were answered from the run's ledger.
enum class Queries {
  kDoNotAddUp,    // with it there is no finite ε
  kCountedApart,  // the caller adds them (ledger_queries.h)
};

// From the folder of a run, which need not be there. Whatever cannot be read or understood counts
// as unbounded.
RunCharge charge_of(const std::filesystem::path& run_folder,
                    Queries queries = Queries::kDoNotAddUp);

// Whether anything in the folder of a run comes from training. What cannot be told counts as yes.
bool has_trained(const std::filesystem::path& run_folder);

// Of a run with privacy, before it goes on: throws InvalidArgument, naming the ledger, if the run
// has trained, or finished, and has none. A new one would forget what was charged.
void require_ledger(const std::filesystem::path& run_folder);

// ε of what was charged, under the run's own adjacency: infinite if unbounded, 0 if nothing was.
double epsilon_of(const RunCharge& charge);

}  // namespace sotto::runs
