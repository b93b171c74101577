#include "train/measured_step.h"

#include <ATen/ATen.h>

#include "engine/noise.h"
#include "sotto/core/error.h"
#include "train/optimizers.h"

namespace sotto::train {
namespace {

using MeasuredStep = std::function<void()>;

std::vector<grad::NamedParameter> trained(const torch::nn::Module& module) {
  std::vector<grad::NamedParameter> parameters;
  for (const auto& item : module.named_parameters()) {
    if (item.value().requires_grad()) parameters.push_back({item.key(), item.value()});
  }
  return parameters;
}

std::shared_ptr<torch::optim::Optimizer> optimizer_of(const Workload& workload,
                                                      const StepOptions& options) {
  return options.optimizer(*workload.network.module);
}

MeasuredStep plain_step(Workload& workload, const StepOptions& options) {
  return [&workload, optimizer = optimizer_of(workload, options), options] {
    optimizer->zero_grad();
    const at::Tensor losses = workload.losses();
    options.after_forward();
    losses.mean().backward();
    optimizer->step();
  };
}

// Clips to norm 1 what has been written out, gradients (N, *shape) of every parameter, and sets the
// parameters' gradients to the noised mean.
void set_clipped_mean(const std::vector<grad::NamedParameter>& parameters,
                      const std::vector<at::Tensor>& gradients, std::int64_t batch, Noise& noise) {
  at::Tensor squares = at::zeros({batch});
  for (const auto& gradient : gradients) squares += gradient.flatten(1).square().sum(1);
  const at::Tensor factors = (1 / squares.sqrt()).clamp_max(1);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    at::Tensor parameter = parameters[p].tensor;
    const at::Tensor sum =
        at::mv(gradients[p].flatten(1).t(), factors).reshape(parameter.sizes()).to(at::kDouble);
    parameter.mutable_grad() = noise.release(sum, 1, 1, static_cast<double>(batch), at::kFloat);
  }
}

// As a hook-based library does it.
MeasuredStep materialised_step(Workload& workload, const StepOptions& options) {
  constexpr std::int64_t kMostBytes = std::int64_t{2} << 30;  // beyond, a step takes many seconds
  if (workload.batch * workload.network.trained_bytes() > kMostBytes) return nullptr;
  auto noise = std::make_shared<Noise>();
  return [&workload, optimizer = optimizer_of(workload, options), noise, options] {
    const auto parameters = trained(*workload.network.module);
    const at::Tensor losses = workload.losses();
    options.after_forward();
    const auto gradients = grad::PerSampleGradients(losses, parameters).materialised();
    set_clipped_mean(parameters, gradients, workload.batch, *noise);
    optimizer->step();
    for (const auto& parameter : parameters) parameter.tensor.mutable_grad() = at::Tensor();
  };
}

// An engine for which every batch is all of the workload's data.
struct PrivateSide {
  PrivateSide(const Workload& workload, const StepOptions& options)
      : optimizer(optimizer_of(workload, options)),
        engine(make_private(*workload.network.module, *optimizer,
                            {.dataset_size = workload.batch,
                             .batch_size = workload.batch,
                             .steps = 1'000'000'000,
                             .sampling = accounting::Sampling::kNone,
                             .noise_multiplier = 1})) {}
  std::shared_ptr<torch::optim::Optimizer> optimizer;
  PrivacyEngine engine;
};

MeasuredStep graph_step(Workload& workload, const StepOptions& options) {
  auto side = std::make_shared<PrivateSide>(workload, options);
  return [&workload, side, options] {
    side->engine.next_batch();
    const at::Tensor losses = workload.losses();
    options.after_forward();
    side->engine.step(losses);
    options.after_private_step(side->engine.seconds());
  };
}

// Null if there are no kernels for the network.
std::shared_ptr<grad::FusedModel> fused_model(const Workload& workload,
                                              std::vector<grad::NamedParameter> parameters) {
  if (workload.network.sequential.is_empty()) return nullptr;
  return grad::FusedModel::compile(
             workload.network.sequential,
             {.sample_shape = workload.network.shape, .parameters = std::move(parameters)})
      .model;
}

MeasuredStep fused_step(Workload& workload, const StepOptions& options) {
  auto side = std::make_shared<PrivateSide>(workload, options);
  auto model = fused_model(workload, side->engine.parameters());
  if (!model) return nullptr;
  return [&workload, side, model, options] {
    side->engine.next_batch();
    side->engine.step(*model, {workload.inputs, workload.labels});
    options.after_private_step(side->engine.seconds());
  };
}

MeasuredStep fused_nonprivate_step(Workload& workload, const StepOptions& options) {
  auto model = fused_model(workload, trained(*workload.network.module));
  if (!model) return nullptr;
  return [&workload, optimizer = optimizer_of(workload, options), model] {
    model->backward({workload.inputs, workload.labels});
    optimizer->step();
  };
}

}  // namespace

std::unique_ptr<torch::optim::Optimizer> make_sgd(const torch::nn::Module& module) {
  TrainingConfig config;
  config.optimizer = OptimizerKind::kSgd;
  config.learning_rate = 0.01;
  return make_optimizer(module, config);
}

std::function<void()> make_step(StepPath path, Workload& workload, const StepOptions& options) {
  switch (path) {
    case StepPath::kPlain:
      return plain_step(workload, options);
    case StepPath::kMaterialised:
      return materialised_step(workload, options);
    case StepPath::kGraph:
      return graph_step(workload, options);
    case StepPath::kFused:
      return fused_step(workload, options);
    case StepPath::kFusedNonprivate:
      return fused_nonprivate_step(workload, options);
  }
  throw InvalidArgument("step path number " + std::to_string(static_cast<int>(path)));
}

}  // namespace sotto::train
