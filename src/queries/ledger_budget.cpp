#include "queries/ledger_budget.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "queries/training_charge.h"
#include "sotto/core/error.h"
#include "sotto/queries/queries.h"

namespace sotto::queries {

namespace {

void add_training(const LedgerContents& ledger, const TrainingHeader& training,
                  mechanisms::BudgetAccount& account) {
  const double delta = account.terms().total.delta / 2;
  if (!(delta > 0)) {
    throw LedgerRefused(Refusal::kTotalDeltaOfZero, "total delta",
                        "training has a δ, so the total of this ledger needs one above 0");
  }
  if (const auto charge = training_charge(ledger, training, delta)) account.add(*charge);
}

std::int64_t number_of_events(const LedgerContents& ledger, std::string_view name) {
  return std::count_if(ledger.events.begin(), ledger.events.end(),
                       [&](const LedgerEvent& event) { return event.name == name; });
}

}  // namespace

bool is_of_training(const LedgerContents& ledger) {
  return std::holds_alternative<TrainingHeader>(header_of(ledger));
}

std::optional<QueriesHeader> budget_in(const LedgerContents& ledger) {
  const auto header = header_of(ledger);
  if (const auto* queries = std::get_if<QueriesHeader>(&header)) return *queries;
  for (const auto& event : ledger.events) {
    if (event.name == kQueryBudgetEvent)
      return QueriesHeader::from_json(event.description, ledger.path);
  }
  return std::nullopt;
}

mechanisms::BudgetAccount account_of(const LedgerContents& ledger,
                                     const mechanisms::BudgetTerms& terms) {
  mechanisms::BudgetAccount account(terms);
  const auto header = header_of(ledger);
  if (const auto* training = std::get_if<TrainingHeader>(&header)) {
    add_training(ledger, *training, account);
  } else {
    check_argument(ledger.steps_charged == 0, ledger.path.string(),
                   ": holds steps, which a ledger of queries does not");
  }
  for (const auto& event : ledger.events) {
    const bool costs = event.name != kQueryBudgetEvent && event.name != kDataChangeEvent;
    if (costs) account.add(query_charge(event, ledger.path));
  }
  return account;
}

accounting::Adjacency adjacency_of(const LedgerContents& ledger) {
  const auto header = header_of(ledger);
  const auto* training = std::get_if<TrainingHeader>(&header);
  return training == nullptr ? accounting::Adjacency::kAddRemove
                             : training->plan.neighbours().adjacency();
}

std::int64_t number_of_queries(const LedgerContents& ledger) {
  return number_of_events(ledger, kQueryEvent);
}

std::size_t number_of_data_changes(const LedgerContents& ledger) {
  return static_cast<std::size_t>(number_of_events(ledger, kDataChangeEvent));
}

void check_head(const LedgerContents& ledger, const std::optional<std::string>& head) {
  if (!head || ledger.contains(*head)) return;
  throw LedgerRefused(Refusal::kHead, "head '" + *head + "'",
                      ledger.path.string() +
                          " has no such line, so it is older, cut off or a different one; " +
                          kAcceptedLedger);
}

}  // namespace sotto::queries
