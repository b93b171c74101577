#include <cmath>
#include <iostream>
#include <stdexcept>

#include "cli/budget_output.h"
#include "cli/budget_request.h"
#include "cli/flags.h"
#include "sotto/core/error.h"

namespace sotto::cli {

namespace {

using namespace accounting;  // the command is a thin layer over it

// The run, with σ or the number of epochs found if that is the question.
TrainingRun solved_run(const BudgetRequest& request) {
  TrainingRunOptions options = request.run;
  const EpsilonDelta target{request.epsilon.value_or(0), request.delta};
  if (request.goal == BudgetGoal::kNoiseMultiplier) {
    options.noise_multiplier = 1;
    const TrainingRun run(options);
    return run.with_noise_multiplier(smallest_noise_multiplier(
        target, request.neighbours,
        [&](double noise) {
          return run.with_noise_multiplier(noise).composition(request.neighbours);
        },
        request.accounting));
  }
  if (request.goal == BudgetGoal::kEpochs) {
    options.epochs = 1;
    const TrainingRun run(options);
    constexpr std::int64_t kMostSteps = std::int64_t{1} << 50U;
    const std::int64_t epochs = most_rounds(
        target, request.neighbours,
        [&](std::int64_t count) { return run.with_epochs(count).composition(request.neighbours); },
        kMostSteps / run.steps_per_epoch(), request.accounting);
    if (epochs == 0) {
      throw std::runtime_error(
          "not even one epoch is affordable at --target-epsilon; add noise or "
          "make batches smaller");
    }
    return run.with_epochs(epochs);
  }
  return TrainingRun(options);
}

std::optional<RdpComparison> compare_with_rdp(const Composition& composition,
                                              const BudgetRequest& request, double delta) {
  try {
    const RdpAccountant rdp(composition, request.neighbours, request.accounting.orders);
    return RdpComparison{rdp.epsilon(delta, Conversion::kImproved),
                         rdp.epsilon(delta, Conversion::kClassic)};
  } catch (const NoValidAnalysis&) {
    return std::nullopt;
  }
}

std::vector<PrivacyCost> cost_by_all(const Composition& composition, const BudgetRequest& request) {
  std::vector<PrivacyCost> costs;
  for (const Accountant accountant : {Accountant::kPld, Accountant::kRdp, Accountant::kGdp}) {
    AccountingOptions options = request.accounting;
    options.accountant = accountant;
    try {
      costs.push_back(cost_at_delta(composition, request.neighbours, request.delta, options));
    } catch (const NoValidAnalysis&) {
      continue;  // this one has no analysis; the others stand
    }
  }
  return costs;
}

TuningCost cost_of_tuning(const Composition& composition, const BudgetRequest& request) {
  TuningCost cost{*request.tuning_runs,
                  cost_at_delta(tuned_by_fixed_runs(composition, *request.tuning_runs),
                                request.neighbours, request.delta, request.accounting),
                  std::nullopt};
  if (cost.runs < 2) return cost;
  try {
    cost.random_runs = tuned_by_random_runs(
        RdpAccountant(composition, request.neighbours, request.accounting.orders),
        RandomNumberOfRuns::geometric(static_cast<double>(cost.runs)), request.delta);
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

BudgetAnswer answer_to(const BudgetRequest& request) {
  const TrainingRun run = solved_run(request);
  const Composition composition = run.composition(request.neighbours);
  const PrivacyCost cost =
      request.goal == BudgetGoal::kDelta
          ? cost_at_epsilon(composition, request.neighbours, *request.epsilon,
                            options_for_delta(request.accounting))
          : cost_at_delta(composition, request.neighbours, request.delta, request.accounting);
  BudgetAnswer answer{run, cost, std::nullopt, {}, std::nullopt};
  const bool has_delta = cost.delta > 0 && cost.delta < 1;
  if (has_delta) answer.rdp = compare_with_rdp(composition, request, cost.delta);
  if (request.all_accountants) answer.accountants = cost_by_all(composition, request);
  if (request.tuning_runs) answer.tuning = cost_of_tuning(composition, request);
  return answer;
}

}  // namespace

int budget_command(const Arguments& arguments) {
  const auto request = parse_budget_request(arguments);
  if (!request) return 0;
  const BudgetAnswer answer = answer_to(*request);
  std::cout << (request->json ? json_text(*request, answer) : human_text(*request, answer));
  return 0;
}

}  // namespace sotto::cli
