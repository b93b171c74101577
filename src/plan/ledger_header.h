// What a ledger's first line says, typed: the plan of a training run, or a budget of queries.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>

#include "plan/ledger.h"
#include "plan/training_ledger.h"
#include "sotto/mechanisms/budget_account.h"

namespace sotto {

// The names of a query's charge in a ledger, and of the budget of queries in a training run's.
constexpr const char* kQueryEvent = "query";
constexpr const char* kQueryBudgetEvent = "query budget";
// Of a ledger of queries whose table is another from here on: it was accepted, and costs nothing.
// Versions that do not know it refuse the ledger, as they do every event that they cannot price.
constexpr const char* kDataChangeEvent = "data change";

// Queries may cost so much together, under add-remove.
struct QueriesHeader {
  mechanisms::BudgetTerms terms;
  // Of the one table that the budget is for (data::DataIdentity). Ledgers of earlier versions have
  // none.
  std::optional<std::string> data_identity = {};

  nlohmann::json to_json() const;
  // What to_json() wrote. Throws InvalidArgument, naming `path`, for anything else.
  static QueriesHeader from_json(const nlohmann::json& json, const std::filesystem::path& path);
};

using LedgerHeader = std::variant<TrainingHeader, QueriesHeader>;

// A training plan's length is the steps charged, and at least 1. Throws InvalidArgument, naming the
// ledger, if it is neither of training nor of queries; NoValidAnalysis as Plan does.
LedgerHeader header_of(const LedgerContents& ledger);

// What an event named kQueryEvent costs. Throws InvalidArgument, naming `path`, if the event has
// another name, or does not say.
mechanisms::Charge query_charge(const LedgerEvent& event, const std::filesystem::path& path);

// What a change of the data is charged as, and the identity of the new table in it. Throws
// InvalidArgument, naming `path`, if there is none.
nlohmann::json data_change(const std::string& new_identity);
std::string changed_identity(const LedgerEvent& event, const std::filesystem::path& path);

}  // namespace sotto
