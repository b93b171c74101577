#include "bench/paths.h"

#include "private/noise.h"
#include "sotto/private/privacy_engine.h"

namespace sotto::bench {
namespace {

using torch::Tensor;

constexpr double kRate = 0.01;

std::vector<grad::NamedParameter> named(const torch::nn::Module& model) {
  std::vector<grad::NamedParameter> parameters;
  for (const auto& item : model.named_parameters())
    parameters.push_back({item.key(), item.value()});
  return parameters;
}

std::function<void()> plain_path(Work& work) {
  auto optimizer = std::make_shared<torch::optim::SGD>(work.model->parameters(), kRate);
  return [&work, optimizer] {
    optimizer->zero_grad();
    work.losses().mean().backward();
    optimizer->step();
  };
}

// What a hook-based library does: gradients of shape (N, *shape) for every parameter, then norms
// over all of them, then the weighted sum.
std::function<void()> materialised_path(Work& work) {
  constexpr std::int64_t kMostBytes = std::int64_t{2} << 30;  // beyond, a step takes many seconds
  if (4 * work.batch * work.parameters() > kMostBytes) return nullptr;
  auto optimizer = std::make_shared<torch::optim::SGD>(work.model->parameters(), kRate);
  auto noise = std::make_shared<Noise>();
  return [&work, optimizer, noise] {
    auto parameters = named(*work.model);
    const auto gradients = grad::PerSampleGradients(work.losses(), parameters).materialised();
    Tensor squares = torch::zeros({work.batch});
    for (const auto& gradient : gradients) squares += gradient.flatten(1).square().sum(1);
    const Tensor factors = (1 / squares.sqrt()).clamp_max(1);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      Tensor sum = torch::mv(gradients[p].flatten(1).t(), factors)
                       .reshape(parameters[p].tensor.sizes())
                       .clone();
      noise->add_and_divide(sum, 1, static_cast<double>(work.batch));
      parameters[p].tensor.mutable_grad() = sum;
    }
    optimizer->step();
    for (auto& parameter : parameters) parameter.tensor.mutable_grad() = Tensor();
  };
}

// An engine whose every batch is all of the work's data.
struct PrivateSide {
  explicit PrivateSide(Work& work)
      : optimizer(work.model->parameters(), kRate),
        engine(make_private(*work.model, optimizer,
                            {.dataset_size = work.batch,
                             .batch_size = work.batch,
                             .steps = 1'000'000'000,
                             .sampling = accounting::Sampling::kNone,
                             .noise_multiplier = 1})) {}
  torch::optim::SGD optimizer;
  PrivacyEngine engine;
};

std::function<void()> graph_path(Work& work) {
  auto side = std::make_shared<PrivateSide>(work);
  return [&work, side] {
    side->engine.next_batch();
    side->engine.step(work.losses());
  };
}

std::shared_ptr<grad::FusedModel> fused_model(Work& work,
                                              std::vector<grad::NamedParameter> parameters) {
  if (work.sequential.is_empty()) return nullptr;
  std::string reason;
  return grad::FusedModel::compile(
      work.sequential,
      {.sample_shape = work.inputs.sizes().slice(1).vec(), .parameters = std::move(parameters)},
      reason);
}

std::function<void()> fused_path(Work& work) {
  auto side = std::make_shared<PrivateSide>(work);
  auto model = fused_model(work, side->engine.parameters());
  if (!model) return nullptr;
  return [&work, side, model] {
    side->engine.next_batch();
    side->engine.step(*model, {work.inputs, work.labels});
  };
}

std::function<void()> fused_nonprivate_path(Work& work) {
  auto optimizer = std::make_shared<torch::optim::SGD>(work.model->parameters(), kRate);
  auto model = fused_model(work, named(*work.model));
  if (!model) return nullptr;
  return [&work, optimizer, model] {
    std::vector<Tensor> sums;
    for (const auto& parameter : model->parameters()) {
      sums.push_back(at::empty_like(parameter.tensor.detach()));
    }
    model->gradients({work.inputs, work.labels}, nullptr, sums, false);
    for (std::size_t p = 0; p < sums.size(); ++p) {
      Tensor parameter = model->parameters()[p].tensor;
      parameter.mutable_grad() = sums[p].div_(static_cast<double>(work.batch));
    }
    optimizer->step();
  };
}

}  // namespace

const std::vector<std::string>& path_names() {
  static const std::vector<std::string> names = {"plain", "materialised", "graph", "fused",
                                                 "fused-nonprivate"};
  return names;
}

std::function<void()> make_path(const std::string& name, Work& work) {
  if (name == "plain") return plain_path(work);
  if (name == "materialised") return materialised_path(work);
  if (name == "graph") return graph_path(work);
  if (name == "fused") return fused_path(work);
  return fused_nonprivate_path(work);
}

}  // namespace sotto::bench
