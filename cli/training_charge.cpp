#include "cli/training_charge.h"

#include "sotto/accounting/privacy_cost.h"
#include "sotto/accounting/training_run.h"
#include "sotto/core/error.h"
#include "sotto/mechanisms/integer_noise.h"

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
                          ": a training that searched its thresholds, which released more than its "
                          "steps; accepted: a ledger of its own for queries");
  }
  const auto relation = ledger.plan.at("relation").get<std::string>();
  if (accounting::relation_from_name(relation) != Relation::kAddRemove) {
    throw NoValidAnalysis(
        ledger.path.string() + ": training is priced under " + relation +
        " and queries under add-remove, which do not add up; accepted: training "
        "under add-remove (Poisson sampling), or a ledger of its own for queries");
  }
}

accounting::TrainingRun run_of(const LedgerContents& ledger) {
  accounting::TrainingRunOptions run;
  run.sampling = accounting::sampling_from_name(ledger.plan.at("sampling").get<std::string>());
  run.dataset_size = ledger.plan.at("dataset_size").get<std::int64_t>();
  run.batch_size = ledger.plan.at("batch_size").get<std::int64_t>();
  run.noise_multiplier = ledger.plan.at("noise_multiplier").get<double>();
  run.steps = ledger.steps_charged;
  return accounting::TrainingRun(run);
}

}  // namespace

bool is_training(const LedgerContents& ledger) { return ledger.plan.contains("noise_multiplier"); }

std::optional<mechanisms::Charge> training_charge(const LedgerContents& ledger, double delta) {
  try {
    check_priceable(ledger);
    if (ledger.steps_charged == 0) return std::nullopt;
    const accounting::Neighbours neighbours(Relation::kAddRemove);
    const auto cost = accounting::cost_at_delta(run_of(ledger).composition(neighbours), neighbours,
                                                delta * (1 - mechanisms::IntegerNoise::kMargin));
    // As queries do, it leaves room for the rounding of sums.
    return mechanisms::Charge{{cost.epsilon * (1 + mechanisms::IntegerNoise::kMargin), delta}};
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument(ledger.path.string() +
                          ": its plan lacks what the cost of training depends on");
  }
}

}  // namespace sotto::cli
