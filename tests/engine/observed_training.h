// Private training seen from outside: who was drawn, what moved, what was claimed. The tests of the
// never list look at the engine and at a simple trainer with one bug at a time through the same
// checks, each of which says what is wrong, or "" if nothing is.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <string>
#include <vector>

#include "sotto/engine/privacy_engine.h"

namespace sotto {

// A small problem whose records can be made as heavy as one likes.
class Task {
 public:
  explicit Task(std::int64_t records = 60);

  std::int64_t records() const { return inputs.size(0); }
  // Scaled cross entropies (n) of these records.
  torch::Tensor losses(const torch::Tensor& numbers) const;
  torch::Tensor weights() const;  // (P), all parameters in a row
  void set_weights(const torch::Tensor& weights) const;
  // Per-sample gradients (n, P) by a loop over batches of one, in double.
  torch::Tensor gradients(const std::vector<std::int64_t>& numbers) const;
  // Their sum, each scaled down to norm `bound`, at these weights.
  torch::Tensor clipped_sum(const std::vector<std::int64_t>& numbers, double bound,
                            const torch::Tensor& at_weights) const;
  // Elements of each parameter, in order.
  std::vector<std::int64_t> sizes() const;

  torch::Tensor inputs;                      // (records, 6)
  torch::Tensor labels;                      // (records)
  torch::Tensor scales;                      // (records): of a record's loss, so of its gradient
  std::shared_ptr<torch::nn::Module> model;  // has a parameter that no loss depends on
  torch::Tensor start;                       // every run begins with these weights

 private:
  torch::nn::Linear first_{6, 40}, second_{40, 2};
};

struct ObservedStep {
  std::vector<std::int64_t> records;  // none: nobody was drawn
  torch::Tensor before;               // (P)
  torch::Tensor update;               // (P): what the weights lost, at learning rate 1; double
  double bound = 0;                   // C of this step
  double next_bound = 0;              // C after it
  std::int64_t steps = 1;             // that the update is made of: empty batches in a row
};

struct ObservedRun {
  std::vector<ObservedStep> steps;
  std::int64_t charged = 0;
  std::int64_t discarded = 0;
  double epsilon = 0;  // claimed, at kObservedDelta

  std::int64_t executed() const;
};

constexpr double kObservedDelta = 1e-5;
constexpr double kHardlyAnyNoise = 1e-12;  // a plan needs some

// `max_physical_batch_size` as in EngineOptions.
using Trainer = std::function<ObservedRun(const Task& task, const PlanOptions& plan,
                                          std::int64_t max_physical_batch_size)>;

ObservedRun train_with_engine(const Task& task, const PlanOptions& plan,
                              std::int64_t max_physical_batch_size = 0);
ObservedRun observe_engine(const Task& task, const PlanOptions& plan, const EngineOptions& options);

// Poisson sampling, flat clipping.
PlanOptions observed_plan(const Task& task, std::int64_t batch_size, double noise_multiplier,
                          std::int64_t steps);
// Every record in every batch.
PlanOptions full_batch_plan(const Task& task, double noise_multiplier, std::int64_t steps);

// What the noise did to each step, in units of what the plan says it should be: (steps, P). Flat
// and adaptive clipping.
torch::Tensor observed_noise(const Task& task, const PlanOptions& plan, const ObservedRun& run);

}  // namespace sotto
