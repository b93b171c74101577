// What a training ledger's steps cost, as one charge to a budget of queries.
#pragma once

#include <optional>

#include "plan/ledger.h"
#include "plan/ledger_header.h"
#include "sotto/mechanisms/budget_account.h"

namespace sotto::queries {

// The steps charged, at this δ, by the accountant that training uses, or what is set aside
// for held-out records if that is more, made or not; nothing if there is neither.
// Throws NoValidAnalysis, naming the ledger, if training was not private, or has another
// adjacency than queries (add-remove).
std::optional<mechanisms::Charge> training_charge(const LedgerContents& ledger,
                                                  const TrainingHeader& training, double delta);

}  // namespace sotto::queries
