#include "train/training_steps.h"

#include <torch/utils.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/stopwatch.h"
#include "sotto/train/evaluation.h"

namespace sotto::train {
namespace {

// State and data of the run, which must outlive the steps.
struct RunParts {
  TrainingState& state;
  const TensorData& data;

  grad::FusedBatch fused_batch(const at::Tensor& records) const {
    return {data.inputs, data.labels, records};
  }
  // inputs (n, ...), labels (n)
  at::Tensor losses_of(const at::Tensor& inputs, const at::Tensor& labels) const;
};

at::Tensor RunParts::losses_of(const at::Tensor& inputs, const at::Tensor& labels) const {
  const at::Tensor scores = state.model->forward(inputs);
  return state.clipless ? state.clipless->loss()(scores, labels)
                        : per_sample_losses(scores, labels);
}

// A part of a logical batch: the losses of those drawn, and what the engine did with them.
struct SteppedPart {
  at::Tensor losses;
  StepReport report;
};

class PrivateSteps : public StepStrategy {
 public:
  explicit PrivateSteps(const RunParts& run) : run_(run) {}

  bool step(StepTotals& totals) override {
    auto& engine = *run_.state.engine;
    const auto before = engine.steps();
    for (bool stepped = false; !stepped;) {
      const auto batch = engine.next_batch();
      if (!batch || batch->size() == 0) break;  // nobody was drawn: it is stepped already
      const auto part = timed_part(engine, *batch, totals);
      totals.loss_sum += part.losses.detach().nansum().item<double>();
      totals.loss_count += static_cast<double>(part.report.samples);
      stepped = part.report.stepped;
    }
    run_.state.step = engine.steps();
    return run_.state.step > before;
  }

 protected:
  virtual SteppedPart step_part(PrivacyEngine& engine, const Batch& batch) = 0;
  const RunParts& run() const { return run_; }

 private:
  SteppedPart timed_part(PrivacyEngine& engine, const Batch& batch, StepTotals& totals) {
    const Stopwatch watch(totals.seconds);
    return step_part(engine, batch);
  }

  RunParts run_;
};

class GraphSteps final : public PrivateSteps {
  using PrivateSteps::PrivateSteps;
  SteppedPart step_part(PrivacyEngine& engine, const Batch& batch) override {
    const at::Tensor losses =
        run().losses_of(batch.rows_of(run().data.inputs), batch.rows_of(run().data.labels));
    const auto report = engine.step(losses);
    return {losses.detach().masked_select(batch.is_drawn), report};
  }
};

class FusedSteps final : public PrivateSteps {
  using PrivateSteps::PrivateSteps;
  SteppedPart step_part(PrivacyEngine& engine, const Batch& batch) override {
    const auto report = engine.step(*run().state.fused.model, run().fused_batch(batch.indices));
    return {report.losses, report};
  }
};

class BoundedSteps final : public PrivateSteps {
  using PrivateSteps::PrivateSteps;
  SteppedPart step_part(PrivacyEngine& engine, const Batch& batch) override {
    const auto report =
        engine.step(batch.rows_of(run().data.inputs), batch.rows_of(run().data.labels));
    return {report.losses, report};
  }
};

// Without privacy: passes over all records, in a new order each.
class PlainSteps final : public StepStrategy {
 public:
  explicit PlainSteps(const RunParts& run) : run_(run) {}

  bool step(StepTotals& totals) override {
    auto& state = run_.state;
    if (state.step >= state.total_steps()) return false;
    const at::Tensor records = next_records();
    const Stopwatch watch(totals.seconds);
    const at::Tensor losses =
        state.fused.model ? set_fused_gradients(records) : set_graph_gradients(records);
    const auto sum = losses.sum().item<double>();
    if (!std::isfinite(sum)) {
      throw std::runtime_error("the training loss is not finite; lower the learning rate");
    }
    state.optimizer->step();
    if (state.clipless) state.clipless->project();
    totals.loss_sum += sum;
    totals.loss_count += static_cast<double>(records.size(0));
    ++state.step;
    return true;
  }

 private:
  at::Tensor next_records() {
    const auto place = run_.state.step % run_.state.steps_per_epoch();  // of a pass
    const auto size = run_.data.size();
    if (place == 0 || !order_.defined()) order_ = torch::randperm(size);
    const auto batch_size = run_.state.config.batch_size;
    const auto begin = place * batch_size;
    return order_.narrow(0, begin, std::min(batch_size, size - begin));
  }

  // Both give every parameter the gradient of the mean loss, and return the losses.
  at::Tensor set_graph_gradients(const at::Tensor& records) {
    run_.state.optimizer->zero_grad();
    const at::Tensor losses = run_.losses_of(run_.data.inputs.index_select(0, records),
                                             run_.data.labels.index_select(0, records));
    losses.mean().backward();
    return losses.detach();
  }
  at::Tensor set_fused_gradients(const at::Tensor& records) {
    return run_.state.fused.model->backward(run_.fused_batch(records));
  }

  RunParts run_;
  at::Tensor order_;  // of the present pass
};

std::unique_ptr<StepStrategy> strategy_of(const RunParts& run) {
  if (!run.state.engine) return std::make_unique<PlainSteps>(run);
  if (run.state.clipless) return std::make_unique<BoundedSteps>(run);
  if (run.state.fused.model) return std::make_unique<FusedSteps>(run);
  return std::make_unique<GraphSteps>(run);
}

}  // namespace

TrainingSteps::TrainingSteps(TrainingState& state, const TensorData& data)
    : state_(state), strategy_(strategy_of({state, data})) {}

double TrainingSteps::mean_loss() const {
  return totals_.loss_count > 0 ? totals_.loss_sum / totals_.loss_count : state_.last_epoch_loss;
}

void TrainingSteps::start_epoch() { totals_.loss_sum = totals_.loss_count = 0; }

}  // namespace sotto::train
