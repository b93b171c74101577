// A layer that doubles the height and width of maps.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

namespace sotto::gan {

// What ConvTranspose2d with a kernel of 4, stride 2 and padding 1 computes, with its parameters,
// by an ordinary convolution, which LibTorch's CPU kernels are better at. Of an output pixel's 4 ×
// 4 kernel only the 2 × 2 entries of its parity meet an input, so that the four parities are four
// ordinary 2 × 2 convolutions, computed as one with four times the channels.
class DoublingImpl : public torch::nn::Cloneable<DoublingImpl> {
 public:
  DoublingImpl(std::int64_t in, std::int64_t out);
  void reset() override;
  // (n, in, h, w) -> (n, out, 2h, 2w)
  at::Tensor forward(const at::Tensor& maps);

  at::Tensor weight;  // (in, out, 4, 4)
  at::Tensor bias;    // (out)

 private:
  std::int64_t in_;
  std::int64_t out_;
};
TORCH_MODULE(Doubling);

}  // namespace sotto::gan
