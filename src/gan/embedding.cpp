#include "sotto/gan/embedding.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <cmath>

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
  const auto draw = [&](std::vector<std::int64_t> sizes, double bandwidth) {
    return at::randn(sizes, generator) / bandwidth;
  };
  if (rows_) {
    // A row as an image of one pixel with as many channels as columns.
    const auto columns = sample_shape[0];
    const double typical = std::sqrt(static_cast<double>(columns));
    for (const double bandwidth : {1.0, 0.5, 0.25}) {
      patches_.push_back({draw({700, columns, 1, 1}, bandwidth * typical), 1});
      size_ += 2 * 700;
    }
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

}  // namespace sotto::gan
