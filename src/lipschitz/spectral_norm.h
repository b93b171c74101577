// Upper bounds of spectral norms. Power iteration gives lower ones, which prove nothing.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

namespace sotto::lipschitz {

// At least ‖W‖₂ of a matrix (rows, columns), by Gram iteration: ‖A‖₂^(2^t) <= ‖(AᵀA)^(2^(t-1))‖_F
// for every t (arXiv:2305.16173), computed in double precision and enlarged by what rounding may
// take away; infinite if an entry is not finite. How close it is depends on how much one spends.
enum class Effort {
  kQuick,  // a few per cent above the truth, closer the nearer W is to orthogonal: for every step
  kSharp,  // less than 0.1 per cent above: for certificates
};
double spectral_norm_bound(const at::Tensor& matrix, Effort effort = Effort::kQuick);

// How a convolution with zero padding is applied. Height and width are the largest of the image.
struct ConvolutionShape {
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

// At least the norm of the linear map x -> conv2d(x, kernel) on images of at most that shape.
// kernel: (out, in, kh, kw). A strided convolution is one without stride on the image's phases;
// with zero padding it is a part of a periodic one on a larger grid, whose norm is the largest over
// the grid's frequencies of the norm of an out x in matrix.
double convolution_norm_bound(const at::Tensor& kernel, const ConvolutionShape& shape,
                              Effort effort = Effort::kQuick);

// Throws std::runtime_error, naming the layer, unless the norm is a finite number: there is then
// nothing to put back.
void require_finite_norm(double norm, const std::string& layer);

// In how many windows a pixel can lie: the squared norm of the map from an image to its windows.
std::int64_t window_overlap(std::int64_t kernel, const std::int64_t stride);

// Towards the nearest matrix with orthonormal rows (or columns, if there are fewer): weights near
// to it reach it by one product, those far from it by a limited number of Newton and Schulz's
// iterations, in which small singular values grow and those of 0 stay 0. float in, float out.
at::Tensor orthogonalised(const at::Tensor& matrix);

}  // namespace sotto::lipschitz
