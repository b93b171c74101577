// The steps of a run, one after another.
#pragma once

#include <ATen/core/Tensor.h>

#include "train/tensor_data.h"
#include "train/training_state.h"

namespace sotto::train {

class TrainingSteps {
 public:
  // Both must outlive it.
  TrainingSteps(TrainingState& state, const TensorData& data) : state_(state), data_(data) {}

  // A logical batch, empty or not: whoever acts after each must not tell which were. False if all
  // steps are done. Throws std::runtime_error if training diverges.
  bool next();

  // Mean training loss since start_epoch(): for the one who trains, not covered by ε. That of the
  // last epoch before the first step.
  double mean_loss() const;
  void start_epoch();
  // Spent in steps so far.
  double seconds() const { return seconds_; }

 private:
  bool private_step();
  std::pair<at::Tensor, StepReport> private_part(const Batch& batch);
  bool plain_step();
  at::Tensor plain_gradients(const at::Tensor& records);
  at::Tensor fused_plain_gradients(const at::Tensor& records);
  at::Tensor losses_of(const at::Tensor& records);

  TrainingState& state_;
  const TensorData& data_;
  at::Tensor order_;  // of the present pass, without privacy
  double loss_sum_ = 0;
  double loss_count_ = 0;
  double seconds_ = 0;
};

}  // namespace sotto::train
