// The one assumption about LibTorch (docs/finite-precision.md): what it computes for a sample
// hardly depends on who else is in the call.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "engine/clip_factors.h"
#include "sotto/grad/per_sample_gradients.h"
#include "sotto/lipschitz/networks.h"
#include "sotto/models/models.h"

namespace sotto::companions {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

constexpr double kBound = 1;
constexpr double kAssumed = 0x1p-10;

using Scores = std::function<Tensor(const Tensor&)>;

struct Network {
  std::string name;
  std::shared_ptr<nn::Module> module;
  Scores scores;
  std::vector<std::int64_t> sample_shape;
};

Network of(const std::string& name, nn::Sequential model, std::vector<std::int64_t> shape) {
  return {name, model.ptr(), [model](const Tensor& x) mutable { return model->forward(x); },
          std::move(shape)};
}

Network recurrent() {
  nn::LSTM layer(nn::LSTMOptions(12, 24).batch_first(true));
  return {"lstm",
          layer.ptr(),
          [layer](const Tensor& x) mutable {
            return std::get<0>(layer->forward(x)).select(1, -1).narrow(1, 0, 10);
          },
          {14, 12}};
}

Network attention() {
  nn::TransformerEncoderLayer layer(
      nn::TransformerEncoderLayerOptions(24, 4).dim_feedforward(48).dropout(0));
  return {"attention",
          layer.ptr(),
          [layer](const Tensor& x) mutable {
            return layer->forward(x.transpose(0, 1)).mean(0).narrow(1, 0, 10);
          },
          {14, 24}};
}

std::vector<Network> networks() {
  std::vector<Network> all;
  all.push_back(of("cnn", models::make_model("cnn", {{1, 28, 28}, 10}), {1, 28, 28}));
  all.push_back(
      of("wide", nn::Sequential(nn::Linear(300, 200), nn::Tanh(), nn::Linear(200, 10)), {300}));
  all.push_back(of("lip-mlp", lipschitz::make_network("lip-mlp", {{60}, 10}), {60}));
  all.push_back(recurrent());
  all.push_back(attention());
  return all;
}

// The exact sum of what samples contribute, but for sample `without`.
std::vector<Tensor> contributed(const Network& network, const Tensor& inputs, const Tensor& labels,
                                std::int64_t without) {
  std::vector<grad::NamedParameter> parameters;
  std::vector<Tensor> tensors;
  std::vector<std::int64_t> layers;
  for (const auto& item : network.module->named_parameters()) {
    parameters.push_back({item.key(), item.value()});
    tensors.push_back(item.value());
    layers.push_back(0);
  }
  const Tensor losses = nn::functional::cross_entropy(
      network.scores(inputs), labels,
      nn::functional::CrossEntropyFuncOptions().reduction(torch::kNone));
  const grad::PerSampleGradients gradients(losses, parameters);
  Tensor factors = clip_factors(gradients.squared_norms(), FlatClipping{}, kBound, layers).factors;
  if (without >= 0) factors.select(1, without).zero_();
  grad::ExactSums sums(tensors, std::vector<double>(tensors.size(), kBound));
  // Each sample a chain of its own: sums of chains are not what is looked at here.
  std::vector<std::int64_t> chains;
  for (std::int64_t end = 1; end <= inputs.size(0); ++end) chains.push_back(end);
  gradients.add_to(sums, factors, chains);
  std::vector<Tensor> all;
  for (std::size_t p = 0; p < sums.size(); ++p) all.push_back(sums.real(p));
  return all;
}

TEST(CompanionsTest, ASampleLessHardlyChangesTheOthers) {
  constexpr std::int64_t kSamples = 200;
  for (const auto& network : networks()) {
    torch::manual_seed(5);
    auto sizes = network.sample_shape;
    sizes.insert(sizes.begin(), kSamples);
    const Tensor inputs = torch::randn(sizes) * 2;
    const Tensor labels = torch::randint(10, {kSamples});
    double largest = 0;
    for (const std::int64_t out : {0, 1, 100, 199}) {
      const Tensor others = torch::cat({torch::arange(out), torch::arange(out + 1, kSamples)});
      const auto with = contributed(network, inputs, labels, out);
      const auto without =
          contributed(network, inputs.index_select(0, others), labels.index_select(0, others), -1);
      double square = 0;
      for (std::size_t p = 0; p < with.size(); ++p) {
        square += (with[p] - without[p]).square().sum().item<double>();
      }
      largest = std::max(largest, std::sqrt(square));
    }
    EXPECT_LE(largest, kAssumed * kBound) << network.name;
    RecordProperty(network.name, std::to_string(largest));
    std::printf("%s: %.3g of the bound\n", network.name.c_str(), largest);
  }
}

}  // namespace
}  // namespace sotto::companions
