#include "gan/embedding.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sotto/grad/grad.h"

namespace sotto::gan {
namespace {

using at::Tensor;

// A constant feature, whose mean counts the records: its share of the squared norm.
constexpr double kCountShare = 0.01;

struct Scale {
  std::int64_t side;    // of a patch
  std::int64_t stride;  // between patches
  std::int64_t directions;
  double bandwidth;  // for pixels in [-1, 1]
};

// For 28 x 28 pixels, and in proportion for other sizes.
std::vector<Scale> scales_for(std::int64_t side) {
  const auto part = [&](std::int64_t of_28) {
    return std::min(side, std::max<std::int64_t>(2, side * of_28 / 28));
  };
  return {{side, side, 500, 10.0 * static_cast<double>(side) / 28},
          {part(14), std::max<std::int64_t>(1, part(14) / 2), 100, 5.0},
          {part(7), std::max<std::int64_t>(1, part(7) * 3 / 7), 30, 2.5}};
}

}  // namespace

Embedding::Embedding(const std::vector<std::int64_t>& sample_shape, std::uint64_t seed)
    : rows_(sample_shape.size() == 1) {
  auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  const auto draw = [&](const std::vector<std::int64_t>& sizes, double bandwidth) {
    return at::randn(sizes, generator) / bandwidth;
  };
  if (rows_) {
    // A row as an image of one pixel with as many channels as columns.
    constexpr std::int64_t kDirections = 700;
    const auto columns = sample_shape[0];
    const double typical = std::sqrt(static_cast<double>(columns));
    for (const double bandwidth : {1.0, 0.5, 0.25}) {
      patches_.push_back({draw({kDirections, columns, 1, 1}, bandwidth * typical), 1});
      size_ += 2 * kDirections;
    }
    compile({columns, 1, 1});
    return;
  }
  const auto side = std::min(sample_shape[1], sample_shape[2]);
  for (const auto& scale : scales_for(side)) {
    patches_.push_back(
        {draw({scale.directions, sample_shape[0], scale.side, scale.side}, scale.bandwidth),
         scale.stride});
    const auto along = [&](std::int64_t length) {
      return (length - scale.side) / scale.stride + 1;
    };
    size_ += 2 * scale.directions * along(sample_shape[1]) * along(sample_shape[2]);
  }
  compile(sample_shape);
}

void Embedding::compile(const std::vector<std::int64_t>& map_shape) {
  c10::NoGradGuard no_gradients;
  for (auto& patches : patches_) {
    const auto& w = patches.directions;
    torch::nn::Conv2d convolution(
        torch::nn::Conv2dOptions(w.size(1), w.size(0), {w.size(2), w.size(3)})
            .stride(patches.stride)
            .bias(false));
    convolution->weight.copy_(w);
    auto angles = grad::FusedModel::compile(
        torch::nn::Sequential(convolution, torch::nn::Flatten()), {.sample_shape = map_shape});
    if (!angles.model) throw std::logic_error("features have no kernel: " + angles.reason);
    patches.angles = std::move(angles.model);
  }
}

Tensor Embedding::features(const Tensor& samples) const {
  const Tensor maps = rows_ ? samples.unsqueeze(2).unsqueeze(3) : samples;  // (n, c, h, w)
  const double share = std::sqrt((1 - kCountShare) / static_cast<double>(patches_.size()));
  std::vector<Tensor> parts;
  for (const auto& patches : patches_) {
    const Tensor angles =
        at::conv2d(maps, patches.directions, {}, {patches.stride, patches.stride}).flatten(1);
    const double scale = share / std::sqrt(static_cast<double>(angles.size(1)));
    parts.push_back(angles.cos() * scale);
    parts.push_back(angles.sin() * scale);
  }
  parts.push_back(at::full({samples.size(0), 1}, std::sqrt(kCountShare), samples.options()));
  return at::cat(parts, 1);
}

// Sines and cosines by a plain loop: those of vectors and of what is left over may differ in their
// last bit, and with them a record's features by its place.
Tensor Embedding::features_of_records(const Tensor& samples) const {
  c10::NoGradGuard no_gradients;
  const Tensor maps = (rows_ ? samples.unsqueeze(2).unsqueeze(3) : samples).contiguous();
  const double share = std::sqrt((1 - kCountShare) / static_cast<double>(patches_.size()));
  Tensor features = at::empty({samples.size(0), size_}, at::kFloat);
  std::int64_t first = 0;
  for (const auto& patches : patches_) {
    const Tensor angles = patches.angles->scores(maps);
    const auto count = angles.size(1);
    const auto scale = static_cast<float>(share / std::sqrt(static_cast<double>(count)));
    at::parallel_for(0, samples.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const float* angle = angles.data_ptr<float>() + i * count;
        float* to = features.data_ptr<float>() + i * size_ + first;
        for (std::int64_t j = 0; j < count; ++j) to[j] = std::cos(angle[j]) * scale;
        for (std::int64_t j = 0; j < count; ++j) to[count + j] = std::sin(angle[j]) * scale;
      }
    });
    first += 2 * count;
  }
  features.select(1, first).fill_(std::sqrt(kCountShare));
  return features;
}

}  // namespace sotto::gan
