#include "sotto/accounting/budget.h"
#include "sotto/engine/privacy_engine.h"

namespace sotto {

PrivacyEngine make_private(torch::nn::Module& model, torch::optim::Optimizer& optimizer,
                           const PlanOptions& plan, const EngineOptions& options) {
  return {model, optimizer, Plan(plan), options};
}

double noise_multiplier_for(const accounting::EpsilonDelta& target, const PlanOptions& options) {
  PlanOptions flat = options;
  // The multiplier is that of all a step releases; searches come on top.
  if (!is<SearchedClipping>(flat.clipping)) flat.clipping = FlatClipping{};
  flat.noise_multiplier = 1;
  const Plan plan(flat);
  return accounting::smallest_noise_multiplier(target, plan.neighbours(), [&](double noise) {
    PlanOptions with_noise = flat;
    with_noise.noise_multiplier = noise;
    return Plan(with_noise).composition(plan.steps());
  });
}

PrivacyEngine make_private_with_epsilon(torch::nn::Module& model,
                                        torch::optim::Optimizer& optimizer,
                                        const accounting::EpsilonDelta& target, PlanOptions plan,
                                        EngineOptions options) {
  plan.noise_multiplier = noise_multiplier_for(target, plan);
  options.target = target;
  return make_private(model, optimizer, plan, options);
}

}  // namespace sotto
