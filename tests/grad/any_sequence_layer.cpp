#include "tests/grad/any_layer.h"

namespace sotto::grad {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

struct RecurrentSettings {
  const std::int64_t input = any_of_range(1, 4);
  const std::int64_t hidden = any_of_range(2, 5);
  const std::int64_t layers = any_of_range(1, 2);
  const std::int64_t length = any_of_range(1, 4);
  const bool batch_first = any_bool();
  const bool bidirectional = any_bool();
  const bool bias = any_bool();

  template <typename Options>
  Options options() const {
    return Options(input, hidden)
        .num_layers(layers)
        .batch_first(batch_first)
        .bidirectional(bidirectional)
        .bias(bias);
  }

  template <typename Holder>
  AnyLayer layer(Holder module) const {
    const bool first = batch_first;
    return {{module.ptr(),
             [=](const Tensor& x) mutable {
               if (first) return std::get<0>(module->forward(x));
               return std::get<0>(module->forward(x.transpose(0, 1))).transpose(0, 1);
             },
             normal({length, input})},
            describe("input", input, "hidden", hidden, "layers", layers, "length", length,
                     "batch first", batch_first, "bidirectional", bidirectional, "bias", bias)};
  }
};

}  // namespace

AnyLayer any_rnn() {
  const RecurrentSettings settings;
  auto options = settings.options<nn::RNNOptions>();
  if (any_bool()) options.nonlinearity(torch::kReLU);
  return settings.layer(nn::RNN(options));
}

AnyLayer any_gru() {
  const RecurrentSettings settings;
  return settings.layer(nn::GRU(settings.options<nn::GRUOptions>()));
}

AnyLayer any_lstm() {
  const RecurrentSettings settings;
  auto options = settings.options<nn::LSTMOptions>();
  if (any_bool()) options.proj_size(any_of_range(1, settings.hidden - 1));
  return settings.layer(nn::LSTM(options));
}

AnyLayer any_attention() {
  const auto heads = any_of_range(1, 3);
  const auto width = heads * any_of_range(1, 3);
  const auto length = any_of_range(1, 4);
  const bool self = any_bool();
  auto options = nn::MultiheadAttentionOptions(width, heads)
                     .bias(any_bool())
                     .add_bias_kv(any_bool())
                     .add_zero_attn(any_bool());
  const auto narrower = self ? width : any_of_range(1, width);
  options.kdim(narrower).vdim(narrower);  // other matrices where it is not the width
  nn::MultiheadAttention attention(options);
  Layer layer{attention.ptr(),
              [=](const Tensor& x) mutable {
                const Tensor queries = x.transpose(0, 1);
                const Tensor keys = self ? queries : (queries.flip(0) * 2).narrow(2, 0, narrower);
                return std::get<0>(attention->forward(queries, keys, keys)).transpose(0, 1);
              },
              normal({length, width})};
  return {layer, describe("heads", heads, "width", width, "length", length, "self", self, "keys",
                          narrower, "bias", options.bias(), "key bias", options.add_bias_kv(),
                          "zero", options.add_zero_attn())};
}

AnyLayer any_encoder_layer() {
  const auto heads = any_of_range(1, 2);
  const auto width = heads * any_of_range(2, 4) + heads % 2 * 2;
  const auto inner = any_of_range(1, 8);
  const auto length = any_of_range(1, 4);
  auto options = nn::TransformerEncoderLayerOptions(width, heads).dim_feedforward(inner).dropout(0);
  const bool smooth = any_bool();
  if (smooth) options.activation(torch::kGELU);
  nn::TransformerEncoderLayer encoder(options);
  Layer layer{
      encoder.ptr(),
      [=](const Tensor& x) mutable { return encoder->forward(x.transpose(0, 1)).transpose(0, 1); },
      normal({length, width})};
  return {layer, describe("heads", heads, "width", width, "inner", inner, "length", length,
                          "smooth", smooth)};
}

}  // namespace sotto::grad
