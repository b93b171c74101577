// A training run's ledger: by which plan it charges, and what it has charged.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "plan/ledger.h"
#include "sotto/plan/plan.h"

namespace sotto {

// Every step costs what the plan says.
struct TrainingHeader {
  Plan plan;
  // Why nothing that was charged is private, such as a seed that is known; nothing if it is.
  std::optional<std::string> not_private = {};

  bool is_private() const { return !not_private; }
  // What the ledger is made with.
  nlohmann::json to_json() const;
};

// Throws as header_of (ledger_header.h) does, and InvalidArgument, naming the ledger, if it is of
// queries.
TrainingHeader training_header(const LedgerContents& ledger);

// What was charged by the plan. Events other than searches for thresholds are not in it, and
// neither is whether noise was secret. Throws as training_header does.
Spend training_spend(const LedgerContents& ledger);

}  // namespace sotto
