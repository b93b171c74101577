// What a ledger of queries tells without asking anything: the budget, and earlier answers.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sotto/accounting/guarantee.h"
#include "sotto/mechanisms/budget_account.h"
#include "sotto/mechanisms/table_query.h"

namespace sotto::queries {

struct PastQuery {
  nlohmann::json description;  // of the charge, see docs/ledger-format.md
  mechanisms::Charge charge;
  // How often the table had changed before, since the budget was made.
  std::size_t data_changes = 0;
  // Nothing if the process was killed before, or the version was earlier than that keeps them.
  std::optional<std::vector<mechanisms::Answer>> answers;
};

struct PastQueries {
  mechanisms::BudgetAccount account;
  std::vector<PastQuery> queries;  // in the order of their charges
  std::string head_hash;
  accounting::Adjacency adjacency;
  std::size_t data_changes = 0;  // that were accepted since the budget was made
};

// Changes nothing, and takes no lock. Throws LedgerRefused if there is no budget for queries in the
// ledger, or not the line that is demanded; otherwise as QueryLedger::open does.
PastQueries read_past_queries(const std::filesystem::path& ledger,
                              const std::optional<std::string>& head = {});

}  // namespace sotto::queries
