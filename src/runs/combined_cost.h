// What several runs on the same data cost together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runs/run_record.h"
#include "sotto/accounting/privacy_cost.h"

namespace sotto::runs {

// What is promised to a record of one data set if all of its runs are published, or one of them is
// chosen in view of them all.
struct CombinedCost {
  std::string dataset;            // as the settings name it; every name if there are several
  std::vector<std::size_t> runs;  // places in the list; at least two
  // At the smallest δ of the runs, and that of their queries if these have one. Infinite if the ε
  // of one of them is not proved; nothing if they protect in different ways (adjacencies), so that
  // no single ε describes them.
  std::optional<accounting::PrivacyCost> cost;
  std::string sentence;  // the same in plain words
  std::string same_by;   // how the data are known to be the same: "content", "name" ...
};

// One for each data set that more than one run was trained on. Two runs count as trained on the
// same data if these have the same content (RunRecord::data_identity) or the same name: an edited
// file still holds most of its records, and a run that recorded no content has only its name.
std::vector<CombinedCost> combined_costs(const std::vector<RunRecord>& runs);

// What one private run and the queries that were answered from its ledger cost together; nothing if
// there were none.
struct CostWithQueries {
  std::size_t queries = 0;
  accounting::PrivacyCost cost;  // infinite if no ε is proved for the run
  std::string sentence;
};
std::optional<CostWithQueries> cost_with_queries(const RunRecord& run);

}  // namespace sotto::runs
