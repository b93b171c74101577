#include "gan/merf.h"

#include <torch/optim/adam.h>

#include <algorithm>
#include <cmath>

#include "gan/gan_data.h"

namespace sotto::gan {
namespace {

using at::Tensor;

// As many of each class as of any other: (batch), labels in turn.
Tensor every_class(std::int64_t batch, std::int64_t classes) {
  return at::arange(batch, at::kLong).remainder(classes);
}

void set_rate(torch::optim::Optimizer& optimizer, double rate) {
  for (auto& group : optimizer.param_groups()) {
    static_cast<torch::optim::AdamOptions&>(group.options()).lr(rate);
  }
}

}  // namespace

std::vector<double> MeanEmbedding::class_shares() const {
  const Tensor counts = sums.select(1, sums.size(1) - 1).to(at::kDouble).clamp_min(0);
  const auto total = counts.sum().item<double>();
  std::vector<double> shares;
  for (std::int64_t i = 0; i < counts.size(0); ++i) {
    shares.push_back(total > 0 ? counts[i].item<double>() / total
                               : 1.0 / static_cast<double>(counts.size(0)));
  }
  return shares;
}

void fit_generator(Generator generator, const GeneratorCard& card, const Embedding& embedding,
                   const MeanEmbedding& target, const FitOptions& options,
                   const FitObserver& observer) {
  generator->train();
  torch::optim::Adam optimizer(generator->parameters(),
                               torch::optim::AdamOptions(options.learning_rate).betas({0.5, 0.99}));
  const auto classes = card.shape.classes;
  const auto batch = std::max(options.batch, 2 * classes);
  const Tensor kinds = label_columns(every_class(batch, classes), classes);    // (batch, classes)
  const Tensor shares = at::tensor(card.shares, at::kFloat).unsqueeze(1);      // (classes, 1)
  const Tensor weights = (kinds / kinds.sum(0)).t().mul(shares).contiguous();  // (classes, batch)
  for (std::int64_t step = 0; step < options.steps; ++step) {
    const double left = 1 - static_cast<double>(step) / static_cast<double>(options.steps);
    set_rate(optimizer, options.learning_rate * std::max(0.01, left));
    const Tensor samples = generator->forward(draw_latent(card, batch), kinds);
    const Tensor reached = at::matmul(weights, embedding.features(samples));
    const Tensor distance = (reached - target.sums).square().sum();
    optimizer.zero_grad();
    distance.backward();
    optimizer.step();
    if (!observer(step + 1, std::sqrt(distance.item<double>()))) return;
  }
}

}  // namespace sotto::gan
