#include "train/step_paths.h"

#include <ATen/ATen.h>
#include <torch/optim/sgd.h>

#include "engine/noise.h"

namespace sotto::train {
namespace {

using torch::Tensor;

constexpr double kRate = 0.01;

std::vector<grad::NamedParameter> trained(const torch::nn::Module& model) {
  std::vector<grad::NamedParameter> parameters;
  for (const auto& item : model.named_parameters()) {
    if (item.value().requires_grad()) parameters.push_back({item.key(), item.value()});
  }
  return parameters;
}

std::function<void()> plain_path(Work& work, const PathOptions& options) {
  auto optimizer = options.optimizer(*work.network.module);
  return [&work, optimizer, options] {
    optimizer->zero_grad();
    const Tensor losses = work.losses();
    options.after_forward();
    losses.mean().backward();
    optimizer->step();
  };
}

// What a hook-based library does: gradients of shape (N, *shape) for every parameter, then norms
// over all of them, then the weighted sum.
std::function<void()> materialised_path(Work& work, const PathOptions& options) {
  constexpr std::int64_t kMostBytes = std::int64_t{2} << 30;  // beyond, a step takes many seconds
  if (work.batch * work.network.trained_bytes() > kMostBytes) return nullptr;
  auto optimizer = options.optimizer(*work.network.module);
  auto noise = std::make_shared<Noise>();
  return [&work, optimizer, noise, options] {
    auto parameters = trained(*work.network.module);
    const Tensor losses = work.losses();
    options.after_forward();
    const auto gradients = grad::PerSampleGradients(losses, parameters).materialised();
    Tensor squares = at::zeros({work.batch});
    for (const auto& gradient : gradients) squares += gradient.flatten(1).square().sum(1);
    const Tensor factors = (1 / squares.sqrt()).clamp_max(1);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const Tensor sum = at::mv(gradients[p].flatten(1).t(), factors)
                             .reshape(parameters[p].tensor.sizes())
                             .to(at::kDouble);
      parameters[p].tensor.mutable_grad() =
          noise->release(sum, 1, 1, static_cast<double>(work.batch), at::kFloat);
    }
    optimizer->step();
    for (auto& parameter : parameters) parameter.tensor.mutable_grad() = Tensor();
  };
}

// An engine whose every batch is all of the work's data.
struct PrivateSide {
  PrivateSide(Work& work, const PathOptions& options)
      : optimizer(options.optimizer(*work.network.module)),
        engine(make_private(*work.network.module, *optimizer,
                            {.dataset_size = work.batch,
                             .batch_size = work.batch,
                             .steps = 1'000'000'000,
                             .sampling = accounting::Sampling::kNone,
                             .noise_multiplier = 1})) {}
  std::shared_ptr<torch::optim::Optimizer> optimizer;
  PrivacyEngine engine;
};

std::function<void()> graph_path(Work& work, const PathOptions& options) {
  auto side = std::make_shared<PrivateSide>(work, options);
  return [&work, side, options] {
    side->engine.next_batch();
    const Tensor losses = work.losses();
    options.after_forward();
    side->engine.step(losses);
    options.after_private_step(side->engine.seconds());
  };
}

std::shared_ptr<grad::FusedModel> fused_model(const Work& work,
                                              std::vector<grad::NamedParameter> parameters) {
  if (work.network.sequential.is_empty()) return nullptr;
  std::string reason;
  return grad::FusedModel::compile(
      work.network.sequential,
      {.sample_shape = work.network.shape, .parameters = std::move(parameters)}, reason);
}

std::function<void()> fused_path(Work& work, const PathOptions& options) {
  auto side = std::make_shared<PrivateSide>(work, options);
  auto model = fused_model(work, side->engine.parameters());
  if (!model) return nullptr;
  return [&work, side, model, options] {
    side->engine.next_batch();
    side->engine.step(*model, {work.inputs, work.labels});
    options.after_private_step(side->engine.seconds());
  };
}

std::function<void()> fused_nonprivate_path(Work& work, const PathOptions& options) {
  auto optimizer = options.optimizer(*work.network.module);
  auto model = fused_model(work, trained(*work.network.module));
  if (!model) return nullptr;
  return [&work, optimizer, model] {
    model->backward({work.inputs, work.labels});
    optimizer->step();
  };
}

}  // namespace

const std::vector<std::string>& path_names() {
  static const std::vector<std::string> names = {"plain", "materialised", "graph", "fused",
                                                 "fused-nonprivate"};
  return names;
}

std::shared_ptr<torch::optim::Optimizer> make_sgd(const torch::nn::Module& module) {
  std::vector<Tensor> tensors;
  for (const auto& parameter : trained(module)) tensors.push_back(parameter.tensor);
  return std::make_shared<torch::optim::SGD>(tensors, kRate);
}

std::function<void()> make_path(const std::string& name, Work& work, const PathOptions& options) {
  if (name == "plain") return plain_path(work, options);
  if (name == "materialised") return materialised_path(work, options);
  if (name == "graph") return graph_path(work, options);
  if (name == "fused") return fused_path(work, options);
  return fused_nonprivate_path(work, options);
}

}  // namespace sotto::train
