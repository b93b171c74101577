#include "tests/grad/any_layer.h"

namespace sotto::grad {
namespace {

namespace nn = torch::nn;
using torch::Tensor;
using Sizes = std::vector<std::int64_t>;

template <typename Holder>
Layer plain_layer(Holder module, std::function<Tensor(std::int64_t)> input) {
  return {module.ptr(), [module](const Tensor& x) mutable { return module->forward(x); },
          std::move(input)};
}

Sizes with(Sizes sizes, std::int64_t last) {
  sizes.push_back(last);
  return sizes;
}

// Batches (n, *shape) of numbers below `limit`.
std::function<Tensor(std::int64_t)> indices_below(std::int64_t limit, Sizes shape) {
  shape.insert(shape.begin(), 0);
  return [=](std::int64_t n) {
    Sizes sizes = shape;
    sizes[0] = n;
    return torch::randint(limit, sizes);
  };
}

template <typename Norm>
AnyLayer instance_norm(std::size_t axes) {
  const auto channels = any_of_range(1, 4);
  const Sizes places = any_sizes(axes, 2, 4);
  Sizes shape{channels};
  shape.insert(shape.end(), places.begin(), places.end());
  return {plain_layer(Norm(nn::InstanceNormOptions(channels).affine(true)), normal(shape)),
          describe("channels and places", shape)};
}

}  // namespace

Sizes any_sizes(std::size_t count, std::int64_t low, std::int64_t high) {
  Sizes sizes;
  for (std::size_t i = 0; i < count; ++i) sizes.push_back(any_of_range(low, high));
  return sizes;
}

// Wide layers on few rows take the way by Gram matrices.
AnyLayer any_linear() {
  const auto in = any_of_range(1, 30);
  const auto out = any_of_range(1, 30);
  const bool bias = any_bool();
  const Sizes leading = any_sizes(any_of_range(0, 3), 1, 3);
  const bool samples_second = !leading.empty() && any_bool();  // as sequence models lay them
  nn::Linear linear(nn::LinearOptions(in, out).bias(bias));
  Layer layer{linear.ptr(),
              [=](const Tensor& x) mutable {
                if (!samples_second) return linear->forward(x);
                return linear->forward(x.transpose(0, 1)).transpose(0, 1);
              },
              normal(with(leading, in))};
  return {layer, describe("in", in, "out", out, "bias", bias, "leading", leading, "samples second",
                          samples_second)};
}

AnyLayer any_embedding() {
  const auto words = any_of_range(2, 9);
  const auto width = any_of_range(1, 5);
  auto options = nn::EmbeddingOptions(words, width);
  if (any_bool()) options.padding_idx(any_of_range(0, words - 1));
  const Sizes shape = any_sizes(any_of_range(0, 2), 1, 4);
  return {plain_layer(nn::Embedding(options), indices_below(words, shape)),
          describe("words", words, "width", width, "indices", shape, "padding",
                   options.padding_idx().value_or(-1))};
}

AnyLayer any_embedding_bag(bool offsets) {
  const auto words = any_of_range(2, 9);
  const auto length = any_of_range(1, 5);
  const auto mode = any_of_range(0, 2);
  auto options = nn::EmbeddingBagOptions(words, any_of_range(1, 5));
  if (any_bool()) options.padding_idx(any_of_range(0, words - 1));
  if (mode == 0) options.mode(torch::kSum);
  if (mode == 1) options.mode(torch::kMean);
  if (mode == 2) options.mode(torch::kMax);
  const bool weighted = mode == 0 && any_bool();
  nn::EmbeddingBag bag(options);
  Layer layer{
      bag.ptr(),
      [=](const Tensor& x) mutable {
        const Tensor in = offsets ? x.flatten() : x;  // all bags in one row
        const Tensor starts = offsets ? torch::arange(x.size(0), torch::kLong) * length : Tensor();
        const Tensor weights = weighted ? (in + 1).to(bag->weight.scalar_type()) / 3 : Tensor();
        return bag->forward(in, starts, weights);
      },
      indices_below(words, {length})};
  return {layer, describe("words", words, "length", length, "mode", mode, "weighted", weighted,
                          "padding", options.padding_idx().value_or(-1))};
}

AnyLayer any_layer_norm() {
  const Sizes normalised = any_sizes(any_of_range(1, 2), 2, 5);
  Sizes shape = any_sizes(any_of_range(0, 2), 1, 3);
  shape.insert(shape.end(), normalised.begin(), normalised.end());
  return {plain_layer(nn::LayerNorm(nn::LayerNormOptions(normalised)), normal(shape)),
          describe("normalised", normalised, "shape", shape)};
}

AnyLayer any_group_norm() {
  const auto groups = any_of_range(1, 3);
  const auto channels = groups * any_of_range(2, 3);  // of one number nothing is left
  Sizes shape{channels};
  for (const auto size : any_sizes(any_of_range(0, 3), 1, 4)) shape.push_back(size);
  return {plain_layer(nn::GroupNorm(groups, channels), normal(shape)),
          describe("groups", groups, "shape", shape)};
}

AnyLayer any_instance_norm() {
  const auto axes = any_of_range(1, 3);
  if (axes == 1) return instance_norm<nn::InstanceNorm1d>(1);
  if (axes == 2) return instance_norm<nn::InstanceNorm2d>(2);
  return instance_norm<nn::InstanceNorm3d>(3);
}

AnyLayer any_prelu() {
  const Sizes shape = any_sizes(any_of_range(1, 3), 1, 5);
  const auto parameters = any_bool() ? 1 : shape[0];
  return {plain_layer(nn::PReLU(nn::PReLUOptions().num_parameters(parameters)), normal(shape)),
          describe("parameters", parameters, "shape", shape)};
}

}  // namespace sotto::grad
