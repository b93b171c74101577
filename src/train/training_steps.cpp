#include "train/training_steps.h"

#include <torch/utils.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sotto/core/stopwatch.h"
#include "sotto/train/evaluation.h"

namespace sotto::train {

bool TrainingSteps::next() { return state_.engine ? private_step() : plain_step(); }

double TrainingSteps::mean_loss() const {
  return loss_count_ > 0 ? loss_sum_ / loss_count_ : state_.last_epoch_loss;
}

void TrainingSteps::start_epoch() { loss_sum_ = loss_count_ = 0; }

at::Tensor TrainingSteps::losses_of(const at::Tensor& records) {
  const at::Tensor inputs = data_.inputs.index_select(0, records);
  const at::Tensor labels = data_.labels.index_select(0, records);
  const at::Tensor scores = state_.model->forward(inputs);
  return state_.clipless ? state_.clipless->loss()(scores, labels)
                         : per_sample_losses(scores, labels);
}

bool TrainingSteps::private_step() {
  auto& engine = *state_.engine;
  const auto before = engine.steps();
  for (bool stepped = false; !stepped;) {
    const auto batch = engine.next_batch();
    if (!batch || batch->size() == 0) break;  // nobody was drawn: it is stepped already
    const auto [losses, report] = private_part(*batch);
    loss_sum_ += losses.detach().nansum().item<double>();
    loss_count_ += static_cast<double>(batch->size());
    stepped = report.stepped;
  }
  state_.step = engine.steps();
  return state_.step > before;
}

// A part of a logical batch: its losses, and what the engine did with them.
std::pair<at::Tensor, StepReport> TrainingSteps::private_part(const Batch& batch) {
  const Stopwatch watch(seconds_);
  if (state_.clipless) {
    const auto report = state_.engine->step(data_.inputs.index_select(0, batch.indices),
                                            data_.labels.index_select(0, batch.indices));
    return {report.losses, report};
  }
  if (state_.fused.model) {
    const auto report =
        state_.engine->step(*state_.fused.model, {data_.inputs, data_.labels, batch.indices});
    return {report.losses, report};
  }
  const at::Tensor losses = losses_of(batch.indices);
  return {losses, state_.engine->step(losses)};
}

at::Tensor TrainingSteps::plain_gradients(const at::Tensor& records) {
  state_.optimizer->zero_grad();
  const at::Tensor losses = losses_of(records);
  losses.mean().backward();
  return losses.detach();
}

at::Tensor TrainingSteps::fused_plain_gradients(const at::Tensor& records) {
  const auto& parameters = state_.fused.model->parameters();
  std::vector<at::Tensor> sums;
  for (const auto& parameter : parameters) {
    sums.push_back(at::empty_like(parameter.tensor.detach(), at::MemoryFormat::Contiguous));
  }
  const auto result =
      state_.fused.model->gradients({data_.inputs, data_.labels, records}, sums, /*add=*/false);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    at::Tensor parameter = parameters[i].tensor;
    parameter.mutable_grad() = sums[i].div_(static_cast<double>(records.size(0)));
  }
  return result.losses;
}

bool TrainingSteps::plain_step() {
  if (state_.step >= state_.total_steps()) return false;
  const auto place = state_.step % state_.steps_per_epoch();  // of a pass
  if (place == 0 || !order_.defined()) order_ = torch::randperm(data_.size());
  const auto batch_size = state_.config.batch_size;
  const auto begin = place * batch_size;
  const at::Tensor records = order_.narrow(0, begin, std::min(batch_size, data_.size() - begin));
  const Stopwatch watch(seconds_);
  const at::Tensor losses =
      state_.fused.model ? fused_plain_gradients(records) : plain_gradients(records);
  const double sum = losses.sum().item<double>();
  if (!std::isfinite(sum)) {
    throw std::runtime_error("the training loss is not finite; lower the learning rate (--lr)");
  }
  state_.optimizer->step();
  if (state_.clipless) state_.clipless->project();
  loss_sum_ += sum;
  loss_count_ += static_cast<double>(records.size(0));
  ++state_.step;
  return true;
}

}  // namespace sotto::train
