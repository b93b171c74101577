#include "gan/critic_losses.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/utils.h>

#include "gan/slope.h"

namespace sotto::gan {

using at::Tensor;

namespace {

Tensor recorded_slope(Critic critic, const Tensor& samples, const Tensor& labels) {
  const Tensor inputs = samples.detach().requires_grad_(true);
  const Tensor score = critic->forward(inputs, labels);
  return torch::autograd::grad({score.sum()}, {inputs}, {}, {}, /*create_graph=*/true)[0];
}

}  // namespace

Tensor critic_slope(Critic critic, const Tensor& samples, const Tensor& labels) {
  if (!is_piecewise_linear(critic->features()) || !is_piecewise_linear(critic->head())) {
    return recorded_slope(critic, samples, labels);
  }
  const LinearPieces features(critic->features(), samples.detach());
  const LinearPieces head(critic->head(), at::cat({features.output(), labels}, 1));
  const Tensor of_head = head.pull_back(at::ones_like(head.output()));
  return features.pull_back(of_head.narrow(1, 0, features.output().size(1)));
}

Pairs make_pairs(Generator generator, const Tensor& latent, const Tensor& places,
                 const Tensor& real, const Tensor& labels) {
  torch::NoGradGuard no_gradients;
  const bool was_training = generator->is_training();
  generator->eval();
  const Tensor fake = generator->forward(latent, labels).contiguous();
  generator->train(was_training);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(real.dim()), 1);
  sizes[0] = real.size(0);
  return {real, fake, fake + places.reshape(sizes) * (real - fake), labels};
}

Tensor critic_losses(Critic critic, const Pairs& pairs, const CriticObjective& objective) {
  const Tensor real = critic->forward(pairs.real, pairs.labels);
  const Tensor fake = critic->forward(pairs.fake, pairs.labels);
  Tensor losses = objective.loss == CriticLoss::kWasserstein
                      ? fake - real
                      : at::softplus(fake) + at::softplus(-real);
  if (objective.penalty > 0) {
    const Tensor slope = critic_slope(critic, pairs.mixed, pairs.labels);
    // The root has no slope at 0, where a dead critic is.
    const Tensor steepness = (slope.flatten(1).square().sum(1) + 1e-12).sqrt();
    losses = losses + objective.penalty * (steepness - 1).square();
  }
  return losses;
}

}  // namespace sotto::gan
