#include "train/fused_models.h"

#include <torch/nn.h>
#include <torch/utils.h>

#include "engine/trained_parameters.h"
#include "sotto/core/error.h"
#include "sotto/train/evaluation.h"
#include "train/training_state.h"

namespace sotto::train {
namespace {

constexpr std::int64_t kTrialSamples = 3;
constexpr double kAgreement =
    1e-2;  // a kink may be met from either side; a wrong kernel is far off

// Norms by the fused kernels and by autograd, on random numbers of the data's shape: a kernel that
// does not work on this machine is not used.
bool agrees_with_autograd(grad::FusedModel& fused, torch::nn::Sequential model,
                          const std::vector<std::int64_t>& sample_shape) {
  auto sizes = sample_shape;
  sizes.insert(sizes.begin(), kTrialSamples);
  const at::Tensor inputs = torch::rand(sizes);
  const at::Tensor labels = torch::zeros({kTrialSamples}, torch::kLong);
  std::vector<at::Tensor> parameters;
  for (const auto& parameter : fused.parameters()) parameters.push_back(parameter.tensor);
  grad::ExactSums sums(parameters, std::vector<double>(parameters.size(), 1.0));
  const auto keep_none = [&](const double*, std::int64_t stride, std::int64_t samples,
                             double* factors) {
    for (std::size_t p = 0; p < sums.size(); ++p) {
      std::fill_n(factors + static_cast<std::int64_t>(p) * stride, samples, 0.0);
    }
  };
  const auto got = fused.clipped_gradients({inputs, labels}, keep_none, {kTrialSamples}, sums);
  const grad::PerSampleGradients expected(per_sample_losses(model->forward(inputs), labels),
                                          fused.parameters());
  return torch::allclose(got.squared_norms.sum(0), expected.squared_norms().sum(0), kAgreement);
}

}  // namespace

FusedModels FusedModels::compile(const TrainingState& state,
                                 const std::vector<std::int64_t>& sample_shape) {
  FusedModels fused;
  if (state.clipless) {
    fused.reason = "Lipschitz networks have no fused kernels";
    check_setting(state.config.gradients != GradientPath::kFused, the_setting("gradients"),
                  " fused: ", fused.reason);
    return fused;
  }
  if (state.config.gradients == GradientPath::kGraph) {
    fused.reason = "asked for";
    return fused;
  }
  grad::FusedModelOptions options{.sample_shape = sample_shape};
  if (!state.config.disable_dp) {
    options.parameters = trained_parameters(*state.model, *state.optimizer);
  }
  auto compiled = grad::FusedModel::compile(state.model, options);
  fused.model = std::move(compiled.model);
  fused.reason = std::move(compiled.reason);
  if (fused.model && !agrees_with_autograd(*fused.model, state.model, sample_shape)) {
    fused.model = nullptr;
    fused.reason = "the fused kernels disagree with LibTorch on this machine";
  }
  check_setting(fused.model || state.config.gradients != GradientPath::kFused,
                the_setting("gradients"), " fused: ", fused.reason);
  if (!fused.model) return fused;
  fused.averaged = grad::FusedModel::compile(state.averaged, {.sample_shape = sample_shape}).model;
  return fused;
}

}  // namespace sotto::train
