#include "sotto/private/training_composition.h"

#include "sotto/accounting/training_run.h"
#include "sotto/core/error.h"

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
