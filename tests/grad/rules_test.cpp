// Every rule against a batch-of-one loop.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "tests/grad/oracle.h"

namespace sotto::grad {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

std::function<Tensor(std::int64_t)> indices(std::int64_t limit, std::vector<std::int64_t> shape) {
  return [=](std::int64_t n) {
    auto sizes = shape;
    sizes.insert(sizes.begin(), n);
    return torch::randint(limit, sizes);
  };
}

class RulesTest : public testing::Test {
 protected:
  void SetUp() override { torch::manual_seed(7); }
};

TEST_F(RulesTest, Linear) {
  nn::Linear layer(7, 3);
  expect_module_matches_oracle(layer, normal({7}));
  expect_module_matches_oracle(layer, normal({4, 7}));
  expect_module_matches_oracle(layer, normal({2, 3, 7}));
  nn::Linear without_bias(nn::LinearOptions(7, 3).bias(false));
  expect_module_matches_oracle(without_bias, normal({7}));
  nn::Linear wide(40, 50);  // few terms: ghost norms
  expect_module_matches_oracle(wide, normal({3, 40}));
}

TEST_F(RulesTest, Conv1d) {
  nn::Conv1d layer(nn::Conv1dOptions(4, 6, 3).stride(2).padding(2).dilation(2).groups(2));
  expect_module_matches_oracle(layer, normal({4, 11}));
  nn::Conv1d plain(4, 6, 3);
  expect_module_matches_oracle(plain, normal({4, 11}));
}

TEST_F(RulesTest, Conv2d) {
  for (const int groups : {1, 2, 4}) {
    for (const int stride : {1, 2}) {
      for (const int dilation : {1, 2}) {
        SCOPED_TRACE(testing::Message() << groups << ' ' << stride << ' ' << dilation);
        nn::Conv2d layer(nn::Conv2dOptions(4, 8, {3, 2})
                             .stride({stride, 1})
                             .padding({1, 2})
                             .dilation({1, dilation})
                             .groups(groups));
        expect_module_matches_oracle(layer, normal({4, 9, 7}));
      }
    }
  }
}

TEST_F(RulesTest, Conv2dWithSamePadding) {
  nn::Conv2d layer(nn::Conv2dOptions(2, 3, 4).padding(torch::kSame));
  expect_module_matches_oracle(layer, normal({2, 6, 6}));
  nn::Conv2d circular(nn::Conv2dOptions(2, 3, 3).padding(1).padding_mode(torch::kCircular));
  expect_module_matches_oracle(circular, normal({2, 6, 6}));
}

TEST_F(RulesTest, Conv3d) {
  nn::Conv3d layer(nn::Conv3dOptions(2, 4, {2, 3, 1}).stride({1, 2, 1}).padding(1).groups(2));
  expect_module_matches_oracle(layer, normal({2, 4, 5, 3}));
}

TEST_F(RulesTest, ConvTranspose1d) {
  nn::ConvTranspose1d layer(
      nn::ConvTranspose1dOptions(4, 6, 3).stride(2).padding(1).output_padding(1).groups(2));
  expect_module_matches_oracle(layer, normal({4, 5}));
}

TEST_F(RulesTest, ConvTranspose2d) {
  nn::ConvTranspose2d layer(nn::ConvTranspose2dOptions(3, 5, 4).stride(2).padding(1).dilation(2));
  expect_module_matches_oracle(layer, normal({3, 5, 4}));
}

TEST_F(RulesTest, Embedding) {
  nn::Embedding layer(nn::EmbeddingOptions(9, 4).padding_idx(2));
  expect_module_matches_oracle(layer, indices(9, {6}));
  expect_module_matches_oracle(layer, indices(9, {2, 3}));
}

TEST_F(RulesTest, EmbeddingBag) {
  for (const bool padded : {false, true}) {
    auto options = nn::EmbeddingBagOptions(9, 4);
    if (padded) options.padding_idx(1);
    nn::EmbeddingBag mean(options.mode(torch::kMean));
    expect_module_matches_oracle(mean, indices(9, {6}));
    nn::EmbeddingBag sum(options.mode(torch::kSum));
    expect_module_matches_oracle(sum, indices(9, {6}));
    nn::EmbeddingBag max(options.mode(torch::kMax));
    expect_module_matches_oracle(max, indices(9, {6}));
  }
}

TEST_F(RulesTest, LayerNorm) {
  nn::LayerNorm layer(nn::LayerNormOptions({3, 5}));
  expect_module_matches_oracle(layer, normal({3, 5}));
  expect_module_matches_oracle(layer, normal({2, 3, 5}));
}

TEST_F(RulesTest, GroupNorm) {
  nn::GroupNorm layer(2, 6);
  expect_module_matches_oracle(layer, normal({6, 5}));
  expect_module_matches_oracle(layer, normal({6, 3, 2}));
}

TEST_F(RulesTest, InstanceNorm) {
  nn::InstanceNorm1d one(nn::InstanceNorm1dOptions(3).affine(true));
  expect_module_matches_oracle(one, normal({3, 7}), OnNothing::kRefusedByLibTorch);
  nn::InstanceNorm2d two(nn::InstanceNorm2dOptions(3).affine(true));
  expect_module_matches_oracle(two, normal({3, 4, 2}), OnNothing::kRefusedByLibTorch);
}

TEST_F(RulesTest, PReLU) {
  nn::PReLU one;
  expect_module_matches_oracle(one, normal({3, 4}));
  nn::PReLU many(nn::PReLUOptions().num_parameters(3));
  expect_module_matches_oracle(many, normal({3, 4}));
}

struct ArithmeticImpl : nn::Module {
  ArithmeticImpl() {
    scale = register_parameter("scale", torch::randn({3, 1}));
    shift = register_parameter("shift", torch::randn({4}));
    gate = register_parameter("gate", torch::randn({1}));
    divisor = register_parameter("divisor", torch::rand({3, 4}) + 1);
    position = register_parameter("position", torch::randn({1, 3, 4}));
  }
  Tensor forward(const Tensor& x) {
    const Tensor expanded = position.expand({x.size(0), 3, 4});
    return ((x * scale - shift) * torch::sigmoid(gate) + expanded * x) / divisor + 2 * shift;
  }
  Tensor scale, shift, gate, divisor, position;
};
TORCH_MODULE(Arithmetic);

TEST_F(RulesTest, ParametersInPlainArithmetic) {
  Arithmetic module;
  expect_module_matches_oracle(module, normal({3, 4}));
}

template <typename Layer, typename Options>
struct RecurrentImpl : nn::Module {
  explicit RecurrentImpl(const Options& options) : batch_first(options.batch_first()) {
    layer = register_module("layer", Layer(options));
  }
  Tensor forward(const Tensor& x) {
    const Tensor y = std::get<0>(layer->forward(batch_first ? x : x.transpose(0, 1)));
    return batch_first ? y : y.transpose(0, 1);
  }
  bool batch_first;
  Layer layer{nullptr};
};

template <typename Layer, typename Options>
void check_recurrent() {
  for (const bool batch_first : {true, false}) {
    for (const bool bidirectional : {true, false}) {
      auto module = std::make_shared<RecurrentImpl<Layer, Options>>(
          Options(3, 4).num_layers(2).bidirectional(bidirectional).batch_first(batch_first));
      expect_module_matches_oracle(module, normal({5, 3}));
    }
  }
}

TEST_F(RulesTest, Rnn) { check_recurrent<nn::RNN, nn::RNNOptions>(); }
TEST_F(RulesTest, Gru) { check_recurrent<nn::GRU, nn::GRUOptions>(); }
TEST_F(RulesTest, Lstm) { check_recurrent<nn::LSTM, nn::LSTMOptions>(); }

struct AttentionImpl : nn::Module {
  explicit AttentionImpl(bool self) : self_attention(self) {
    layer = register_module(
        "layer",
        nn::MultiheadAttention(nn::MultiheadAttentionOptions(8, 2).add_bias_kv(true).dropout(0)));
  }
  Tensor forward(const Tensor& x) {
    const Tensor y = x.transpose(0, 1);
    const Tensor keys = self_attention ? y : y.flip(0) * 2;
    return std::get<0>(layer->forward(y, keys, keys)).transpose(0, 1);
  }
  bool self_attention;
  nn::MultiheadAttention layer{nullptr};
};

TEST_F(RulesTest, MultiheadAttention) {
  for (const bool self : {true, false}) {
    auto module = std::make_shared<AttentionImpl>(self);
    expect_module_matches_oracle(module, normal({5, 8}), OnNothing::kRefusedByLibTorch);
  }
}

struct EncoderImpl : nn::Module {
  EncoderImpl() {
    layer = register_module(
        "layer",
        nn::TransformerEncoderLayer(
            nn::TransformerEncoderLayerOptions(8, 2).dim_feedforward(16).dropout(0).activation(
                torch::kGELU)));
  }
  Tensor forward(const Tensor& x) { return layer->forward(x.transpose(0, 1)).transpose(0, 1); }
  nn::TransformerEncoderLayer layer{nullptr};
};

TEST_F(RulesTest, TransformerEncoderLayer) {
  auto module = std::make_shared<EncoderImpl>();
  expect_module_matches_oracle(module, normal({5, 8}), OnNothing::kRefusedByLibTorch);
}

}  // namespace
}  // namespace sotto::grad
