#include "runs/ledger_queries.h"

#include <algorithm>

#include "plan/ledger_header.h"

namespace sotto::runs {
namespace {

void take_budget(const QueriesHeader& header, LedgerQueries& found) {
  found.budget = {header.terms.composing == mechanisms::Composing::kTight,
                  header.terms.total.delta};
  if (header.data_identity) found.data_identities.push_back(*header.data_identity);
}

// What belongs to a run's plan is priced with it.
bool is_of_plan(const LedgerHeader& header, const std::string& event) {
  const auto* training = std::get_if<TrainingHeader>(&header);
  if (training == nullptr) return false;
  const auto& planned = training->plan.options().releases;
  return event == kThresholdSearch ||
         std::any_of(planned.begin(), planned.end(),
                     [&](const OneTimeRelease& release) { return release.name == event; });
}

}  // namespace

LedgerQueries queries_in(const LedgerContents& ledger) {
  LedgerQueries found;
  const auto header = header_of(ledger);
  if (const auto* queries = std::get_if<QueriesHeader>(&header)) take_budget(*queries, found);
  for (const auto& event : ledger.events) {
    if (is_of_plan(header, event.name)) continue;
    if (event.name == kQueryBudgetEvent && !found.budget) {
      take_budget(QueriesHeader::from_json(event.description, ledger.path), found);
    } else if (event.name == kDataChangeEvent && found.budget) {
      found.data_identities.push_back(changed_identity(event, ledger.path));
    } else if (event.name == kQueryEvent && found.budget) {
      const auto charge = query_charge(event, ledger.path);
      found.queries.push_back({charge.cost, charge.gaussian_multiplier});
    } else {
      found.unknown.push_back(event.name);
    }
  }
  return found;
}

}  // namespace sotto::runs
