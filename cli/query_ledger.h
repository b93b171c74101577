// The ledger behind `sotto query`: a budget, and every query charged to it before it is answered.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/query_request.h"
#include "sotto/plan/ledger.h"

namespace sotto::cli {

// The budget does not cover a query. Exit status 1.
class BudgetExceeded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What must be true of a ledger for a query to be charged to it.
struct LedgerDemands {
  BudgetFlags total;
  std::string data;                      // what the flag says
  std::string data_identity;             // data::DataIdentity of it
  std::optional<std::string> head = {};  // hash of a line that must be there
};

// Holds the ledger's lock as long as it lives. Others wait for it, up to kPatienceInSeconds.
//
// A ledger of queries has the budget in its plan, and with it the identity of the one table that it
// is for. (Ledgers of earlier versions have none, and take every table.) A training run's ledger
// takes queries too: its steps are one charge at half of the total δ, and budget and table are an
// event of its own, written before the first query. (Such a run cannot be resumed afterwards: the
// engine refuses.)
class QueryLedger {
 public:
  // Throws UsageError if there is no ledger and no total, if what is said of the total differs from
  // what the ledger has, if it is for another table or lacks the line that is demanded; as Ledger
  // does otherwise.
  static QueryLedger open(const std::filesystem::path& path, const LedgerDemands& demands);

  // Returns when the charge is on the disk. Throws BudgetExceeded, and charges nothing, if the
  // budget does not cover it.
  void charge(const mechanisms::Charge& charge, nlohmann::json description);

  const mechanisms::BudgetAccount& account() const { return account_; }
  // Of the last line, which is the last charge.
  std::string head_hash() const { return ledger_.head_hash(); }

  static constexpr int kPatienceInSeconds = 30;

 private:
  QueryLedger(Ledger ledger, const LedgerDemands& demands);

  Ledger ledger_;
  std::string data_identity_;
  mechanisms::BudgetAccount account_;
  bool has_budget_;  // on the file
};

}  // namespace sotto::cli
