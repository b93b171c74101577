#include "train/run_plan.h"

#include "plan/training_ledger.h"
#include "runs/held_out_release.h"
#include "sotto/core/error.h"
#include "sotto/engine/privacy_engine.h"
#include "sotto/plan/plan.h"

namespace sotto::train {
namespace {

// As a plan refuses it, in the words of settings.
void require_one_side(std::int64_t group_size, double held_out_epsilon) {
  check_setting(group_size == 1 || held_out_epsilon == 0, the_setting("group_size"), " ",
                group_size,
                ": a person's records may be trained on and held out at once, which has no "
                "analysis here; hold out nothing (",
                the_setting("held_out_epsilon"), " 0), or give a table's public test rows (",
                the_setting("csv_test"), " FILE)");
}

double fresh_held_out_epsilon(const std::optional<double>& given, double delta,
                              const PlanOptions& plan) {
  if (given) return *given;
  const Plan whole(plan);
  const Spend spend{whole, whole.steps(), whole.threshold_searches(whole.steps())};
  return runs::held_out_epsilon(given, spend.cost_at_delta(delta).epsilon).value_or(0);
}

}  // namespace

double noise_multiplier_of(const std::optional<double>& given,
                           const accounting::EpsilonDelta& target, const PlanOptions& plan,
                           const std::filesystem::path& ledger) {
  if (given) return *given;
  if (!std::filesystem::exists(ledger)) return noise_multiplier_for(target, plan);
  return training_header(Ledger::read(ledger)).plan.options().noise_multiplier;
}

std::optional<accounting::Adjacency> adjacency_of(const std::optional<accounting::Adjacency>& given,
                                                  const std::filesystem::path& ledger) {
  if (given || !std::filesystem::exists(ledger)) return given;
  return training_header(Ledger::read(ledger)).plan.neighbours().adjacency();
}

double held_out_epsilon_of(const std::optional<double>& given, double delta,
                           const PlanOptions& plan, const std::filesystem::path& ledger) {
  if (std::filesystem::exists(ledger)) {
    return training_header(Ledger::read(ledger)).plan.options().held_out_epsilon;
  }
  const double epsilon = fresh_held_out_epsilon(given, delta, plan);
  require_one_side(plan.group_size, epsilon);
  return epsilon;
}

Plan plan_of(const TrainingConfig& config, const PlannedRecords& records,
             const std::filesystem::path& ledger, const PlannedGradients& gradients) {
  PlanOptions plan;
  plan.bounded = gradients.bounded;
  plan.fill_batches = !gradients.fused;
  plan.dataset_size = records.training;
  plan.batch_size =
      config.sampling == accounting::Sampling::kNone ? records.training : config.batch_size;
  plan.epochs = config.epochs;
  plan.sampling = config.sampling;
  plan.adjacency = adjacency_of(config.adjacency, ledger);
  plan.group_size = config.group_size;
  plan.max_grad_norm = config.max_grad_norm;
  plan.clipping = config.clipping;
  plan.noise_multiplier = noise_multiplier_of(config.noise_multiplier,
                                              {config.target_epsilon, config.delta}, plan, ledger);
  if (records.some_held_out) {
    plan.held_out_epsilon =
        held_out_epsilon_of(config.held_out_epsilon, config.delta, plan, ledger);
  }
  return Plan(plan);
}

}  // namespace sotto::train
