// The queries that were answered from a ledger: a training run's, or one of queries alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/ledger.h"
#include "sotto/accounting/guarantee.h"

namespace sotto::runs {

// The terms of queries that are answered from a ledger.
struct QueryBudget {
  bool tight = false;  // the ε of each was fixed before the first answer
  double delta = 0;    // what all of them may cost
};

struct AnsweredQuery {
  accounting::EpsilonDelta cost{0, 0};
  // Of an answer with Gaussian noise: in units of what one record moves it by.
  std::optional<double> gaussian_multiplier = {};
};

struct LedgerQueries {
  std::optional<QueryBudget> budget;  // there is one wherever there are queries
  // Of the tables that the budget is or was for (data::DataIdentity), in order; none is known of
  // ledgers of earlier versions.
  std::vector<std::string> data_identities;
  std::vector<AnsweredQuery> queries;
  // Names of events that are neither queries nor of a training plan: nobody knows what they cost.
  std::vector<std::string> unknown;
};

// Throws InvalidArgument, naming the ledger, if a query does not say what it cost.
LedgerQueries queries_in(const LedgerContents& ledger);

}  // namespace sotto::runs
