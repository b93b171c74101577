#include "sotto/private/training_composition.h"

#include <algorithm>

#include "sotto/accounting/training_run.h"
#include "sotto/core/error.h"
#include "sotto/private/plan.h"

namespace sotto {
namespace {

using accounting::Sampling;
using nlohmann::json;

accounting::TrainingRun run_of(const json& plan, std::int64_t steps) {
  accounting::TrainingRunOptions run;
  run.sampling = accounting::sampling_from_name(plan.at("sampling").get<std::string>());
  run.dataset_size = plan.at("dataset_size").get<std::int64_t>();
  run.batch_size = plan.at("batch_size").get<std::int64_t>();
  run.noise_multiplier = plan.at("noise_multiplier").get<double>();
  if (run.sampling == Sampling::kShuffled) {
    const auto pass = accounting::steps_per_epoch(*run.dataset_size, *run.batch_size);
    run.epochs = (steps + pass - 1) / pass;
  } else {
    run.steps = steps;
  }
  return accounting::TrainingRun(run);
}

// Every search for a threshold that was charged, repeated ones too.
void add_searches(const LedgerContents& ledger, const accounting::Neighbours& neighbours,
                  accounting::Composition& composition) {
  if (!ledger.plan.contains("threshold_epsilon")) return;
  if (neighbours.relation() != accounting::Relation::kAddRemove) {
    throw NoValidAnalysis(ledger.path.string() +
                          ": searches for thresholds are priced under add-remove only");
  }
  const auto rate = ledger.plan.at("batch_size").get<double>() /
                    ledger.plan.at("dataset_size").get<double>();
  composition.add(
      threshold_search_event(ledger.plan.at("threshold_epsilon").get<double>(), rate),
      std::count_if(ledger.events.begin(), ledger.events.end(),
                    [](const auto& event) { return event.name == kThresholdSearch; }));
}

[[noreturn]] void refuse(const LedgerContents& ledger) {
  throw InvalidArgument(ledger.path.string() +
                        ": its plan lacks what the cost of training depends on");
}

}  // namespace

accounting::Composition training_composition(const LedgerContents& ledger,
                                             const accounting::Neighbours& neighbours) {
  try {
    accounting::Composition composition;
    if (ledger.steps_charged > 0) {
      composition = run_of(ledger.plan, ledger.steps_charged).composition(neighbours);
    }
    for (const auto& release : ledger.plan.value("releases", json::array())) {
      composition.add(accounting::GaussianEvent(release.at("noise_multiplier").get<double>()));
    }
    add_searches(ledger, neighbours, composition);
    return composition;
  } catch (const json::exception&) {
    refuse(ledger);
  }
}

accounting::Relation training_relation(const LedgerContents& ledger) {
  const auto relation = ledger.plan.find("relation");
  if (relation == ledger.plan.end() || !relation->is_string()) refuse(ledger);
  return accounting::relation_from_name(relation->get<std::string>());
}

}  // namespace sotto
