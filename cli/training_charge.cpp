#include "cli/training_charge.h"

#include "sotto/accounting/privacy_cost.h"
#include "sotto/core/error.h"
#include "sotto/mechanisms/integer_noise.h"
#include "sotto/plan/training_composition.h"

namespace sotto::cli {

namespace {

using accounting::Relation;

void check_priceable(const LedgerContents& ledger) {
  if (ledger.plan.contains("not_private")) {
    throw NoValidAnalysis(ledger.path.string() +
                          ": this training used a known seed, so it has no privacy left to share");
  }
  if (ledger.plan.contains("releases")) {
    throw NoValidAnalysis(ledger.path.string() +
                          ": a generator's training, which released more than its steps; accepted: "
                          "a ledger of its own for queries");
  }
  if (ledger.plan.contains("threshold_epsilon")) {
    throw NoValidAnalysis(ledger.path.string() +
                          ": a training that searched its thresholds, whose charges are not those "
                          "of queries; accepted: a ledger of its own for queries");
  }
  const auto relation = training_relation(ledger);
  if (relation != Relation::kAddRemove) {
    throw NoValidAnalysis(
        ledger.path.string() + ": training is priced under " + std::string(name(relation)) +
        " and queries under add-remove, which do not add up; accepted: training "
        "under add-remove (Poisson sampling), or a ledger of its own for queries");
  }
}

}  // namespace

bool is_training(const LedgerContents& ledger) { return ledger.plan.contains("noise_multiplier"); }

std::optional<mechanisms::Charge> training_charge(const LedgerContents& ledger, double delta) {
  check_priceable(ledger);
  if (ledger.steps_charged == 0) return std::nullopt;
  const accounting::Neighbours neighbours(Relation::kAddRemove);
  const auto cost = accounting::cost_at_delta(training_composition(ledger, neighbours), neighbours,
                                              delta * (1 - mechanisms::IntegerNoise::kMargin));
  // As queries do, it leaves room for the rounding of sums.
  return mechanisms::Charge{{cost.epsilon * (1 + mechanisms::IntegerNoise::kMargin), delta}};
}

}  // namespace sotto::cli
