// What a training ledger has charged, as accounting sees it.
#pragma once

#include "sotto/accounting/event.h"
#include "sotto/accounting/neighbours.h"
#include "sotto/plan/ledger.h"

namespace sotto {

// The charged steps, searches for thresholds and the plan's one-time releases, to be priced under
// `neighbours`; a shuffled pass that was begun counts in full. Other charges (ledger.events) are
// not in it, and neither is whether noise was secret (the plan's not_private). Throws
// InvalidArgument, naming the ledger, if its plan is not one of training; NoValidAnalysis if
// there is no analysis of the sampling under these neighbours.
accounting::Composition training_composition(const LedgerContents& ledger,
                                             const accounting::Neighbours& neighbours);

// The relation that the ledger's plan names. Throws InvalidArgument, naming the ledger, without
// one.
accounting::Relation training_relation(const LedgerContents& ledger);

}  // namespace sotto
