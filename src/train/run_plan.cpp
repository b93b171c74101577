#include "train/run_plan.h"

#include "sotto/engine/privacy_engine.h"
#include "sotto/plan/training_ledger.h"

namespace sotto::train {

double noise_multiplier_of(const std::optional<double>& given,
                           const accounting::EpsilonDelta& target, const PlanOptions& plan,
                           const std::filesystem::path& ledger) {
  if (given) return *given;
  if (!std::filesystem::exists(ledger)) return noise_multiplier_for(target, plan);
  return training_header(Ledger::read(ledger)).plan.options().noise_multiplier;
}

std::optional<accounting::Relation> relation_of(const std::optional<accounting::Relation>& given,
                                                const std::filesystem::path& ledger) {
  if (given || !std::filesystem::exists(ledger)) return given;
  return training_header(Ledger::read(ledger)).plan.neighbours().relation();
}

Plan plan_of(const TrainingConfig& config, std::int64_t dataset_size,
             const std::filesystem::path& ledger, const PlannedGradients& gradients) {
  PlanOptions plan;
  plan.bounded = gradients.bounded;
  plan.fill_batches = !gradients.fused;
  plan.dataset_size = dataset_size;
  plan.batch_size =
      config.sampling == accounting::Sampling::kNone ? dataset_size : config.batch_size;
  plan.epochs = config.epochs;
  plan.sampling = config.sampling;
  plan.relation = relation_of(config.relation, ledger);
  plan.max_grad_norm = config.max_grad_norm;
  plan.clipping = config.clipping;
  plan.noise_multiplier = noise_multiplier_of(config.noise_multiplier,
                                              {config.target_epsilon, config.delta}, plan, ledger);
  return Plan(plan);
}

}  // namespace sotto::train
