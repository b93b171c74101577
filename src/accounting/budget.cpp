#include "sotto/accounting/budget.h"

#include <stdexcept>

#include "sotto/accounting/tuning.h"
#include "sotto/core/error.h"

namespace sotto::accounting {
namespace {

// The run, with σ or the number of epochs found if that is the question.
TrainingRun solved_run(const BudgetQuestion& question) {
  TrainingRunOptions options = question.run;
  const EpsilonDelta target{question.epsilon.value_or(0), question.delta};
  if (question.goal == BudgetGoal::kNoiseMultiplier) {
    options.noise_multiplier = 1;
    const TrainingRun run(options);
    return run.with_noise_multiplier(smallest_noise_multiplier(
        target, question.neighbours,
        [&](double noise) {
          return run.with_noise_multiplier(noise).composition(question.neighbours);
        },
        question.accounting));
  }
  if (question.goal == BudgetGoal::kEpochs) {
    options.epochs = 1;
    const TrainingRun run(options);
    constexpr std::int64_t kMostSteps = std::int64_t{1} << 50U;
    const std::int64_t epochs = most_rounds(
        target, question.neighbours,
        [&](std::int64_t count) { return run.with_epochs(count).composition(question.neighbours); },
        kMostSteps / run.steps_per_epoch(), question.accounting);
    if (epochs == 0) {
      throw std::runtime_error(
          "not even one epoch is affordable at this ε; add noise or make batches smaller");
    }
    return run.with_epochs(epochs);
  }
  return TrainingRun(options);
}

std::optional<RdpComparison> compare_with_rdp(const Composition& composition,
                                              const BudgetQuestion& question, double delta) {
  try {
    const RdpAccountant rdp(composition, question.neighbours, question.accounting.orders);
    return RdpComparison{rdp.epsilon(delta, Conversion::kImproved),
                         rdp.epsilon(delta, Conversion::kClassic)};
  } catch (const NoValidAnalysis&) {
    return std::nullopt;
  }
}

std::vector<PrivacyCost> cost_by_all(const Composition& composition,
                                     const BudgetQuestion& question) {
  std::vector<PrivacyCost> costs;
  for (const Accountant accountant : {Accountant::kPld, Accountant::kRdp, Accountant::kGdp}) {
    AccountingOptions options = question.accounting;
    options.accountant = accountant;
    try {
      costs.push_back(cost_at_delta(composition, question.neighbours, question.delta, options));
    } catch (const NoValidAnalysis&) {
      continue;  // this one has no analysis; the others stand
    }
  }
  return costs;
}

TuningCost cost_of_tuning(const Composition& composition, const BudgetQuestion& question) {
  TuningCost cost{*question.tuning_runs,
                  cost_at_delta(tuned_by_fixed_runs(composition, *question.tuning_runs),
                                question.neighbours, question.delta, question.accounting),
                  std::nullopt};
  if (cost.runs < 2) return cost;
  try {
    cost.random_runs = tuned_by_random_runs(
        RdpAccountant(composition, question.neighbours, question.accounting.orders),
        RandomNumberOfRuns::geometric(static_cast<double>(cost.runs)), question.delta);
  } catch (const NoValidAnalysis&) {
    cost.random_runs = std::nullopt;
  }
  return cost;
}

// δ falls by a factor of e while ε moves by a few percent: the same work fixes ten times fewer
// digits of it.
AccountingOptions options_for_delta(AccountingOptions options) {
  options.relative_width *= 10;
  return options;
}

}  // namespace

PrivacyCost PlannedRun::cost() const {
  return cost_at_delta(TrainingRun(run).composition(neighbours), neighbours, delta, accounting);
}

BudgetAnswer answer(const BudgetQuestion& question) {
  const TrainingRun run = solved_run(question);
  const Composition composition = run.composition(question.neighbours);
  const PrivacyCost cost =
      question.goal == BudgetGoal::kDelta
          ? cost_at_epsilon(composition, question.neighbours, *question.epsilon,
                            options_for_delta(question.accounting))
          : cost_at_delta(composition, question.neighbours, question.delta, question.accounting);
  BudgetAnswer found{run, cost, std::nullopt, {}, std::nullopt};
  const bool has_delta = cost.delta > 0 && cost.delta < 1;
  if (has_delta) found.rdp = compare_with_rdp(composition, question, cost.delta);
  if (question.by_all_accountants) found.accountants = cost_by_all(composition, question);
  if (question.tuning_runs) found.tuning = cost_of_tuning(composition, question);
  return found;
}

}  // namespace sotto::accounting
