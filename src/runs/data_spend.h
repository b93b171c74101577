// What runs and queries have cost the same data together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runs/charged_releases.h"
#include "runs/same_data.h"
#include "sotto/accounting/privacy_cost.h"

namespace sotto::runs {

enum class SpenderKind { kTraining, kGenerator, kQueries };
// "train", "gan" or "query": the command that spends so.
std::string_view to_string(SpenderKind kind);

enum class SpenderState {
  kFinished,
  kEndedEarly,   // and published as it was
  kInterrupted,  // or failed, or still running: charged, and nothing published
  kOpen,         // a ledger of queries
  kUnreadable,   // nobody can tell what it has cost
};
// "finished", "ended early", "interrupted", "open" or "unreadable".
std::string_view to_string(SpenderState state);

// One run, or one ledger of queries.
struct Spender {
  std::filesystem::path path;  // of the run's folder, or of the ledger
  SpenderKind kind = SpenderKind::kTraining;
  SpenderState state = SpenderState::kFinished;
  KnownData data = {};
  ChargedReleases releases = {};
  double epsilon = 0;  // of it alone, with the queries answered from its ledger
  double delta = 0;
  std::int64_t steps = 0;
  std::size_t queries = 0;
  bool one_of_several = false;  // of a sweep: how many there are must perhaps stay secret
  std::string problem = {};     // why ε is infinite, or what is known too little; mostly none
};

// All that was charged to one data set.
struct DataSpend {
  std::string dataset;  // every name that it has, for people
  std::string same_by;  // how it is known to be one; empty for a single spender
  std::vector<Spender> spenders;
  // Infinite if one of them is not private; nothing if they protect in different ways.
  std::optional<accounting::PrivacyCost> cost;
  std::string sentence;  // the same in plain words
};

struct SpentBudgets {
  std::vector<DataSpend> by_data;
  std::vector<Spender> unknown;  // that nobody can tell which data they are about
};

// Every run and every ledger of queries in a folder and in those below it that was charged
// anything; sorted by path; links are followed. What cannot be read, or reached, is among them. A
// run's own folder is accepted, too. Throws FileError if a folder cannot be searched.
std::vector<Spender> spenders_in(const std::filesystem::path& folder);

// A ledger of queries, wherever it is. Throws InvalidArgument, or FileError, if it is none.
Spender queries_spender(const std::filesystem::path& ledger);

// By data set. What has the same name or the same content counts as the same: an edited table still
// holds most of its records.
SpentBudgets spent_by_data(const std::vector<Spender>& spenders);

// Those that `data` are among; a name that leads to the same files is the same name. Nothing if no
// spender is known to have used them.
std::optional<DataSpend> spent_on(const KnownData& data, const SpentBudgets& budgets);

}  // namespace sotto::runs
