#include "sotto/plan/training_composition.h"

#include <algorithm>

#include "sotto/core/error.h"
#include "sotto/plan/plan.h"

namespace sotto {
namespace {

Plan plan_of(const LedgerContents& ledger) {
  try {
    return Plan::from_json(ledger.plan, std::max<std::int64_t>(1, ledger.steps_charged));
  } catch (const NoValidAnalysis&) {
    throw;
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(ledger.path.string() + ": " + error.what());
  }
}

// Every search for a threshold that was charged, repeated ones too.
void add_searches(const LedgerContents& ledger, const Plan& plan,
                  const accounting::Neighbours& neighbours, accounting::Composition& composition) {
  const auto search = plan.threshold_search();
  if (!search) return;
  if (neighbours.relation() != accounting::Relation::kAddRemove) {
    throw NoValidAnalysis(ledger.path.string() +
                          ": searches for thresholds are priced under add-remove only");
  }
  const std::int64_t charged =
      std::count_if(ledger.events.begin(), ledger.events.end(),
                    [](const auto& event) { return event.name == kThresholdSearch; });
  composition.add(*search, std::max(charged, plan.threshold_searches(ledger.steps_charged)));
}

}  // namespace

accounting::Composition training_composition(const LedgerContents& ledger,
                                             const accounting::Neighbours& neighbours) {
  const Plan plan = plan_of(ledger);
  accounting::Composition composition;
  if (ledger.steps_charged > 0) {
    composition = plan.run_of(ledger.steps_charged).composition(neighbours);
  }
  for (const auto& release : plan.options().releases) {
    composition.add(accounting::GaussianEvent(release.noise_multiplier));
  }
  add_searches(ledger, plan, neighbours, composition);
  return composition;
}

accounting::Relation training_relation(const LedgerContents& ledger) {
  const auto relation = ledger.plan.find("relation");
  if (relation == ledger.plan.end() || !relation->is_string()) {
    throw InvalidArgument(ledger.path.string() + ": its plan names no neighbouring relation");
  }
  return accounting::relation_from_name(relation->get<std::string>());
}

}  // namespace sotto
