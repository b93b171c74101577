// What a ledger says of its budget for queries, and what was charged to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plan/ledger.h"
#include "plan/ledger_header.h"
#include "sotto/accounting/guarantee.h"
#include "sotto/mechanisms/budget_account.h"

namespace sotto::queries {

constexpr const char* kAcceptedLedger = "accepted: the ledger with all charges up to this one";

bool is_of_training(const LedgerContents& ledger);

// Nothing in a training run's ledger without queries.
std::optional<QueriesHeader> budget_in(const LedgerContents& ledger);

// Everything that was charged. Throws LedgerRefused for a training run's if there is no δ for it;
// InvalidArgument for charges that queries cannot be added to; as training_charge does.
mechanisms::BudgetAccount account_of(const LedgerContents& ledger,
                                     const mechanisms::BudgetTerms& terms);

// Under which they add up: add-remove, or that of a training run.
accounting::Adjacency adjacency_of(const LedgerContents& ledger);

std::int64_t number_of_queries(const LedgerContents& ledger);

// How often its table has changed, and that was accepted.
std::size_t number_of_data_changes(const LedgerContents& ledger);

// Throws LedgerRefused if there is a head, and no line that has it.
void check_head(const LedgerContents& ledger, const std::optional<std::string>& head);

}  // namespace sotto::queries
