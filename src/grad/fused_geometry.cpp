#include "grad/fused_geometry.h"

namespace sotto::grad {
namespace {

// Same padding puts an odd pixel on the right only: not for fused kernels.
bool set_padding(const torch::nn::detail::ConvNdOptions<2>& layer,
                 fused::ConvolutionOptions& options) {
  if (const auto* sizes = get_if<torch::ExpandingArray<2>>(&layer.padding())) {
    for (std::size_t d = 0; d < 2; ++d) options.padding[d] = (**sizes)[d];
    return true;
  }
  if (get_if<torch::enumtype::kValid>(&layer.padding()) != nullptr) return true;
  for (std::size_t d = 0; d < 2; ++d) {
    const std::int64_t total = options.dilation[d] * (options.kernel[d] - 1);
    if (total % 2 != 0) return false;
    options.padding[d] = total / 2;
  }
  return true;
}

template <typename Options>
fused::PoolingOptions common_options(const Options& layer, const fused::Shape& input) {
  fused::PoolingOptions options;
  options.input = input;
  for (std::size_t d = 0; d < 2; ++d) {
    options.kernel[d] = (*layer.kernel_size())[d];
    options.stride[d] = (*layer.stride())[d];
    options.padding[d] = (*layer.padding())[d];
  }
  options.ceil_mode = layer.ceil_mode();
  return options;
}

std::optional<fused::PoolingWindows> checked(const fused::PoolingOptions& options) {
  const std::array<std::int64_t, 2> sides = {options.input.height, options.input.width};
  for (std::size_t d = 0; d < 2; ++d) {
    if (sides[d] + 2 * options.padding[d] < options.kernel[d]) return std::nullopt;
    if (2 * options.padding[d] > options.kernel[d]) return std::nullopt;
  }
  auto windows = fused::PoolingWindows::sliding(options);
  if (!windows.covers_something()) return std::nullopt;
  return windows;
}

}  // namespace

std::optional<fused::ConvolutionOptions> convolution_options(const torch::nn::Conv2dImpl& layer,
                                                             const fused::Shape& input) {
  const auto& from = layer.options;
  if (get_if<torch::enumtype::kZeros>(&from.padding_mode()) == nullptr) return std::nullopt;
  if (from.in_channels() != input.channels) return std::nullopt;
  fused::ConvolutionOptions options;
  options.input = input;
  options.outputs = from.out_channels();
  options.groups = from.groups();
  for (std::size_t d = 0; d < 2; ++d) {
    options.kernel[d] = (*from.kernel_size())[d];
    options.stride[d] = (*from.stride())[d];
    options.dilation[d] = (*from.dilation())[d];
  }
  if (!set_padding(from, options)) return std::nullopt;
  const fused::Shape output = options.output();
  if (output.height < 1 || output.width < 1) return std::nullopt;
  return options;
}

std::optional<fused::PoolingWindows> pooling_windows(const torch::nn::MaxPool2dImpl& layer,
                                                     const fused::Shape& input) {
  for (const auto dilation : *layer.options.dilation()) {
    if (dilation != 1) return std::nullopt;
  }
  return checked(common_options(layer.options, input));
}

std::optional<fused::PoolingWindows> pooling_windows(const torch::nn::AvgPool2dImpl& layer,
                                                     const fused::Shape& input) {
  auto options = common_options(layer.options, input);
  options.count_include_pad = layer.options.count_include_pad();
  options.divisor_override = layer.options.divisor_override().value_or(0);
  if (options.divisor_override < 0) return std::nullopt;
  return checked(options);
}

std::optional<fused::PoolingWindows> adaptive_windows(
    const torch::ExpandingArrayWithOptionalElem<2>& sizes, const fused::Shape& input) {
  const std::int64_t height = (*sizes)[0].value_or(input.height);
  const std::int64_t width = (*sizes)[1].value_or(input.width);
  if (height < 1 || width < 1) return std::nullopt;
  return fused::PoolingWindows::adaptive(input, height, width);
}

}  // namespace sotto::grad
