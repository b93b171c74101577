// Generalises and suppresses until every group has what is required.
#pragma once

#include <vector>

#include "sotto/anonymity/ladder.h"
#include "sotto/anonymity/measures.h"

namespace sotto::anonymity {

struct AnonymiseOptions {
  Requirements requirements;
  std::vector<Ladder> ladders;        // one per quasi-identifier
  double largest_suppression = 0.05;  // share of rows that may be left out
};

struct Anonymised {
  // Quasi-identifiers, generalised, and the sensitive column; every other column is left out, since
  // it might identify. Rows are sorted: their order would reveal where they came from.
  Table table;
  Roles roles;              // in that table
  std::vector<int> levels;  // that each quasi-identifier was raised to
  std::int64_t suppressed = 0;
  Measures measures;
};

// The least general choice of one level per column (full-domain generalisation, Samarati 2001;
// least by the sum of level / height) for which leaving out the groups that still fail costs no
// more than `largest_suppression` of the rows. t-closeness is measured against the rows that are
// left.
//
// Throws InvalidArgument if there are no rows, or the ladders have more than 10^6 combinations;
// std::runtime_error if no choice is enough.
Anonymised anonymise(const Table& table, const Roles& roles, const AnonymiseOptions& options);

}  // namespace sotto::anonymity
