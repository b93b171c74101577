// Everything that one run, or one ledger of queries, has released about the records, and what
// several of them cost together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runs/ledger_queries.h"
#include "runs/run_record.h"
#include "sotto/accounting/event.h"
#include "sotto/accounting/guarantee.h"
#include "sotto/accounting/privacy_cost.h"

namespace sotto::runs {

struct ChargedReleases {
  bool unbounded = false;  // no finite ε holds, whatever else is said
  // Training; nothing for queries alone, which are priced under add-remove.
  std::optional<accounting::Neighbours> neighbours = {};
  accounting::Composition training = {};
  double delta = 1;                             // at which training states its ε
  std::optional<double> held_out_epsilon = {};  // δ = 0
  std::vector<AnsweredQuery> queries = {};
  std::optional<QueryBudget> budget = {};  // there is one wherever there are queries
};

// Of a run, finished or interrupted, with the queries that were answered from its ledger. Unbounded
// if its ε is not proved: it is not private, its files contradict each other, or its ledger is
// missing, and with it what queries were answered from it.
ChargedReleases releases_of(const RunRecord& run);
// Why they are unbounded, in a sentence.
std::string why_unbounded(const RunRecord& run);
// Of a ledger of queries. Unbounded if it holds what nobody can price.
ChargedReleases releases_of(const LedgerQueries& ledger);

// What is promised to a record if all of it is published. At the smallest δ of the runs, and that
// of the queries if these have one. Infinite if one of them is unbounded; nothing if they protect
// in different ways (adjacencies, or group sizes), so that no single ε describes them.
//
// It is proved for numbers of steps, runs and queries that were fixed without looking at what was
// released, but for queries of a basic budget, which may be chosen freely.
std::optional<accounting::PrivacyCost> cost_together(const std::vector<ChargedReleases>& all);

// "", or what a promise about queries of tight budgets rests on: a sentence with a space before it.
std::string condition_of_queries(const std::vector<ChargedReleases>& all);

}  // namespace sotto::runs
