// Random features whose mean over a data set says what the data look like.
//
// Random Fourier features of bandwidth b (Rahimi, Recht 2007): cos and sin of w·x, w ~ N(0, I /
// b²). The distance between two data sets' mean features is an estimate of their maximum mean
// discrepancy under a Gaussian kernel. Of images not only the whole is looked at but also every
// patch at its place, at two smaller scales: neighbouring pixels then count, which the whole
// image's kernel hardly sees. Nothing here looks at data; the random directions are public.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace sotto::grad {
class FusedModel;
}

namespace sotto::gan {

class Embedding {
 public:
  // For samples of this shape: {channels, height, width} with pixels in [-1, 1], or {columns}. The
  // same seed gives the same features.
  Embedding(const std::vector<std::int64_t>& sample_shape, std::uint64_t seed);

  std::int64_t size() const { return size_; }

  // (n, *shape) -> (n, size()); every row has norm 1, up to rounding. Differentiable.
  at::Tensor features(const at::Tensor& samples) const;

  // The same of private records, up to rounding: a record's features are a function of that record
  // alone, bit for bit, whatever other records are in the call. Not differentiable.
  at::Tensor features_of_records(const at::Tensor& samples) const;

 private:
  // cos and sin of `directions` (d, channels, k, k) at every `stride`-th place.
  struct Patches {
    at::Tensor directions;
    std::int64_t stride;
    std::shared_ptr<grad::FusedModel> angles = nullptr;  // (n, channels, h, w) -> (n, angles)
  };

  void compile(const std::vector<std::int64_t>& map_shape);

  std::vector<Patches> patches_;
  bool rows_;
  std::int64_t size_ = 1;
};

}  // namespace sotto::gan
