// What a training ledger's steps cost, as one charge to a budget of queries.
#pragma once

#include <optional>

#include "sotto/mechanisms/budget_account.h"
#include "sotto/plan/ledger.h"

namespace sotto::cli {

// True if the ledger's plan is that of a training run.
bool is_training(const LedgerContents& ledger);

// The steps charged, at this δ, by the accountant that `sotto train` uses; nothing if there are
// none. Throws NoValidAnalysis, naming the ledger, if training was not private, or has another
// neighbouring relation than queries (add-remove); InvalidArgument if the plan cannot be read.
std::optional<mechanisms::Charge> training_charge(const LedgerContents& ledger, double delta);

}  // namespace sotto::cli
