#include "gan/score_shares.h"

#include <torch/utils.h>

#include <algorithm>

#include "gan/merf_training.h"
#include "gan/networks.h"
#include "train/weight_tensors.h"

namespace sotto::gan {

using at::Tensor;
using train::TensorData;

namespace {

// Enough to see how far scores spread.
TensorData beginning(const TensorData& data) {
  const auto count = std::min<std::int64_t>(1000, data.size());
  return {data.inputs.narrow(0, 0, count), data.labels.narrow(0, 0, count)};
}

}  // namespace

ScoreShares critic_shares(const GanRun& run, const GeneratorCard& card) {
  Critic critic(card.networks, card.shape);
  train::copy_weights(weights::read_weight_file(run.critic()), *critic, run.critic());
  return [critic, classes = card.shape.classes](const TensorData& data) mutable {
    torch::NoGradGuard no_gradients;
    return critic->forward(data.inputs, label_columns(data.labels, classes)).sigmoid();
  };
}

ScoreShares witness_shares(const GanRun& run, const GeneratorCard& card,
                           const TensorData& generated) {
  torch::NoGradGuard no_gradients;
  const auto embedding = embedding_of(card.shape.sample);
  Tensor sums = at::zeros({card.shape.classes, embedding.size()});
  for (std::int64_t begin = 0; begin < generated.size(); begin += 500) {
    const auto n = std::min<std::int64_t>(500, generated.size() - begin);
    sums.index_add_(0, generated.labels.narrow(0, begin, n),
                    embedding.features(generated.inputs.narrow(0, begin, n)));
  }
  const Tensor released = read_embedding(run.embedding()).sums;
  const Tensor reached = sums / static_cast<double>(generated.size());
  const Tensor witness = released - reached;
  // Half way between what real and generated samples score on average.
  const double middle = 0.5 * (witness * (released + reached)).sum().item<double>();
  const auto score = [embedding, witness, middle](const TensorData& data) {
    return (embedding.features(data.inputs) * witness.index_select(0, data.labels)).sum(1) - middle;
  };
  const double spread = std::max(1e-12, score(beginning(generated)).std().item<double>());
  return [score, spread](const TensorData& data) {
    torch::NoGradGuard nothing;
    return (score(data) / spread).sigmoid();
  };
}

}  // namespace sotto::gan
