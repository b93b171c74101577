#include "queries/past_queries.h"

#include "queries/answer_note.h"
#include "queries/ledger_budget.h"
#include "sotto/queries/queries.h"

namespace sotto::queries {

namespace {

std::vector<PastQuery> queries_in(const LedgerContents& ledger) {
  std::vector<PastQuery> queries;
  std::size_t changes = 0;
  for (const auto& event : ledger.events) {
    if (event.name == kDataChangeEvent) ++changes;
    if (event.name != kQueryEvent) continue;
    queries.push_back({event.description, query_charge(event, ledger.path), changes, std::nullopt});
  }
  for (const auto& note : ledger.notes) {
    auto answer = read_answer_note(note, ledger.path.string());
    if (!answer) continue;
    check_argument(answer->query >= 1 && std::cmp_less_equal(answer->query, queries.size()),
                   ledger.path.string(), ": holds an answer to query ", answer->query,
                   ", which was never charged");
    queries[static_cast<std::size_t>(answer->query) - 1].answers = std::move(answer->answers);
  }
  return queries;
}

}  // namespace

PastQueries read_past_queries(const std::filesystem::path& path,
                              const std::optional<std::string>& head) {
  const auto ledger = Ledger::read(path);
  check_head(ledger, head);
  const auto budget = budget_in(ledger);
  if (!budget) {
    throw LedgerRefused(Refusal::kNoTotal, path.string(),
                        "a training run's, without a budget for queries yet");
  }
  return {account_of(ledger, budget->terms), queries_in(ledger), ledger.head_hash(),
          adjacency_of(ledger), number_of_data_changes(ledger)};
}

}  // namespace sotto::queries
