// The steps of a run, one after another.
#pragma once

#include <memory>

#include "train/tensor_data.h"
#include "train/training_state.h"

namespace sotto::train {

// What steps add up to.
struct StepTotals {
  double loss_sum = 0;    // of training samples
  double loss_count = 0;  // of these
  double seconds = 0;
};

// How a run makes its steps: privately, from the autograd graph, by fused kernels or by a bounded
// model; or without privacy.
class StepStrategy {
 public:
  virtual ~StepStrategy() = default;
  // A logical batch; see TrainingSteps::next().
  virtual bool step(StepTotals& totals) = 0;
};

class TrainingSteps {
 public:
  // Both must outlive it. The state must have its engine and its fused model, if it is to have
  // them: they decide how steps are made.
  TrainingSteps(TrainingState& state, const TensorData& data);

  // A logical batch, empty or not: whoever acts after each must not tell which were. False if all
  // steps are done. Throws std::runtime_error if training diverges.
  bool next() { return strategy_->step(totals_); }

  // Mean training loss since start_epoch(): for whoever trains the model, not covered by ε. That of
  // the last epoch before the first step.
  double mean_loss() const;
  void start_epoch();
  // Spent in steps so far.
  double seconds() const { return totals_.seconds; }

 private:
  TrainingState& state_;
  std::unique_ptr<StepStrategy> strategy_;
  StepTotals totals_;
};

}  // namespace sotto::train
