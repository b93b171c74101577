#include "tests/engine/observed_training.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "plan/clip_rule.h"

namespace sotto {

using torch::Tensor;
namespace F = torch::nn::functional;

namespace {

// Counts what was executed, whatever was charged.
class CountingOptimizer : public torch::optim::SGD {
 public:
  explicit CountingOptimizer(const Task& task)
      : torch::optim::SGD(task.model->parameters(), /*lr=*/1.0) {}
  Tensor step(LossClosure closure = nullptr) override {
    ++steps;
    return torch::optim::SGD::step(std::move(closure));
  }

  std::int64_t steps = 0;
};

}  // namespace

Task::Task(std::int64_t records) : model(std::make_shared<torch::nn::Module>()) {
  torch::manual_seed(5);
  inputs = torch::randn({records, 6});
  labels = (inputs.select(1, 0) + inputs.select(1, 1) > 0).to(torch::kLong);
  scales = torch::ones({records});
  model->register_module("first", first_);
  model->register_module("second", second_);
  model->register_parameter("unused", torch::randn({50}));
  for (auto& parameter : model->parameters()) {
    torch::NoGradGuard no_gradients;
    parameter.normal_(0, 0.3);  // the same for every task, whatever was drawn before
  }
  start = weights();
}

Tensor Task::losses(const Tensor& numbers) const {
  auto first = first_;
  auto second = second_;
  const Tensor logits = second(torch::tanh(first(inputs.index_select(0, numbers))));
  return scales.index_select(0, numbers) *
         F::cross_entropy(logits, labels.index_select(0, numbers),
                          F::CrossEntropyFuncOptions().reduction(torch::kNone));
}

Tensor Task::weights() const {
  std::vector<Tensor> flat;
  for (const auto& parameter : model->parameters()) flat.push_back(parameter.detach().flatten());
  return torch::cat(flat);
}

void Task::set_weights(const Tensor& weights) const {
  torch::NoGradGuard no_gradients;
  std::int64_t begin = 0;
  for (auto& parameter : model->parameters()) {
    parameter.copy_(weights.narrow(0, begin, parameter.numel()).reshape(parameter.sizes()));
    begin += parameter.numel();
  }
}

std::vector<std::int64_t> Task::sizes() const {
  std::vector<std::int64_t> sizes;
  for (const auto& parameter : model->parameters()) sizes.push_back(parameter.numel());
  return sizes;
}

Tensor Task::gradients(const std::vector<std::int64_t>& numbers) const {
  std::vector<Tensor> rows;
  for (const auto number : numbers) {
    if (scales[number].item<double>() == 0) {  // known without work
      rows.push_back(torch::zeros({start.size(0)}, torch::kDouble));
      continue;
    }
    const auto gradients = torch::autograd::grad({losses(torch::tensor({number})).sum()},
                                                 model->parameters(), {}, {}, false, true);
    std::vector<Tensor> flat;
    for (std::size_t p = 0; p < gradients.size(); ++p) {
      flat.push_back(gradients[p].defined() ? gradients[p].flatten()
                                            : torch::zeros({model->parameters()[p].numel()}));
    }
    rows.push_back(torch::cat(flat).to(torch::kDouble));
  }
  return rows.empty() ? torch::zeros({0, start.size(0)}, torch::kDouble) : torch::stack(rows);
}

Tensor Task::clipped_sum(const std::vector<std::int64_t>& numbers, double bound,
                         const Tensor& at_weights) const {
  set_weights(at_weights);
  const Tensor rows = gradients(numbers);
  return (rows * (bound / (rows.norm(2, {1}, true) * kRoundingMargin)).clamp_max(1)).sum(0);
}

std::int64_t ObservedRun::executed() const {
  return std::accumulate(
      steps.begin(), steps.end(), std::int64_t{0},
      [](std::int64_t sum, const ObservedStep& step) { return sum + step.steps; });
}

ObservedRun train_with_engine(const Task& task, const PlanOptions& plan,
                              std::int64_t max_physical_batch_size) {
  return observe_engine(task, plan, {.max_physical_batch_size = max_physical_batch_size});
}

ObservedRun observe_engine(const Task& task, const PlanOptions& plan,
                           const EngineOptions& options) {
  task.set_weights(task.start);
  CountingOptimizer optimizer(task);
  auto engine = make_private(*task.model, optimizer, plan, options);
  engine.accept_lost_steps();  // of a ledger from before: weights start anew
  ObservedRun run;
  ObservedStep step{{}, task.weights(), {}, engine.max_grad_norm(), 0, 0};
  const auto finish_step = [&] {
    step.steps = std::exchange(optimizer.steps, 0);
    step.update = step.before.to(torch::kDouble) - task.weights().to(torch::kDouble);
    step.next_bound = engine.max_grad_norm();
    if (step.steps > 0 || !step.records.empty()) run.steps.push_back(step);
    step = {{}, task.weights(), {}, engine.max_grad_norm(), 0, 0};
  };
  while (auto batch = engine.next_batch()) {
    if (step.records.empty()) finish_step();  // empty batches on the way here
    const Tensor records = batch->indices.masked_select(batch->is_drawn);
    for (std::int64_t i = 0; i < records.size(0); ++i) {
      step.records.push_back(records[i].item<std::int64_t>());
    }
    if (engine.step(task.losses(batch->indices)).stepped) finish_step();
  }
  finish_step();
  run.charged = engine.steps();
  run.discarded = engine.discarded();
  run.epsilon = engine.privacy_spent(kObservedDelta).epsilon;
  return run;
}

PlanOptions observed_plan(const Task& task, std::int64_t batch_size, double noise_multiplier,
                          std::int64_t steps) {
  PlanOptions plan;
  plan.dataset_size = task.records();
  plan.batch_size = batch_size;
  plan.noise_multiplier = noise_multiplier;
  plan.steps = steps;
  return plan;
}

PlanOptions full_batch_plan(const Task& task, double noise_multiplier, std::int64_t steps) {
  auto plan = observed_plan(task, task.records(), noise_multiplier, steps);
  plan.sampling = accounting::Sampling::kNone;
  return plan;
}

Tensor observed_noise(const Task& task, const PlanOptions& plan, const ObservedRun& run) {
  std::vector<Tensor> noise;
  const auto divisor = static_cast<double>(plan.batch_size);
  for (const auto& step : run.steps) {
    if (step.steps == 0) continue;
    const Tensor signal = task.clipped_sum(step.records, step.bound, step.before);
    const double expected = Plan(plan).gradient_noise_multiplier() * step.bound *
                            std::sqrt(static_cast<double>(step.steps));
    noise.push_back((step.update * divisor - signal) / expected);
  }
  return torch::stack(noise);
}

}  // namespace sotto
