// What convolution and pooling modules of torch::nn mean for a given input.
#pragma once

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/pooling.h>

#include <array>
#include <optional>

#include "fused/convolution.h"
#include "fused/pooling.h"

namespace sotto::grad {

// Nothing where there is no fused kernel for it, or the input does not fit.
std::optional<fused::ConvolutionOptions> convolution_options(const torch::nn::Conv2dImpl& layer,
                                                             const fused::Shape& input);
std::optional<fused::PoolingWindows> pooling_windows(const torch::nn::MaxPool2dImpl& layer,
                                                     const fused::Shape& input);
std::optional<fused::PoolingWindows> pooling_windows(const torch::nn::AvgPool2dImpl& layer,
                                                     const fused::Shape& input);
// sizes: not given means the input's.
std::optional<fused::PoolingWindows> adaptive_windows(
    const torch::ExpandingArrayWithOptionalElem<2>& sizes, const fused::Shape& input);

}  // namespace sotto::grad
