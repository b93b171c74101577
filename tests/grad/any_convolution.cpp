#include <algorithm>

#include "tests/grad/any_layer.h"

namespace sotto::grad {
namespace {

namespace nn = torch::nn;
using torch::Tensor;
using Sizes = std::vector<std::int64_t>;

struct ConvolutionSettings {
  explicit ConvolutionSettings(std::size_t axes)
      : kernel(any_sizes(axes, 1, 3)),
        stride(any_sizes(axes, 1, 3)),
        padding(any_sizes(axes, 0, 2)),
        dilation(any_sizes(axes, 1, 2)),
        groups(any_of_range(1, 3)),
        in(groups),
        out(groups * any_of_range(1, 3)),
        bias(any_bool()) {
    if (any_bool()) in *= any_of_range(1, 3);  // else depthwise
  }

  // Elements from a kernel's first to its last.
  std::int64_t reach(std::size_t axis) const { return dilation[axis] * (kernel[axis] - 1) + 1; }

  std::string text() const {
    return describe("channels", in, out, "groups", groups, "kernel", kernel, "stride", stride,
                    "padding", padding, "dilation", dilation, "bias", bias);
  }

  Sizes kernel, stride, padding, dilation;
  std::int64_t groups, in, out;
  bool bias;
};

template <typename Holder>
AnyLayer convolution_layer(Holder module, const ConvolutionSettings& settings, Sizes places) {
  places.insert(places.begin(), settings.in);
  return {{module.ptr(), [module](const Tensor& x) mutable { return module->forward(x); },
           normal(places)},
          settings.text() + describe("input", places)};
}

template <typename Convolution, std::size_t kAxes>
AnyLayer convolution() {
  const ConvolutionSettings s(kAxes);
  Sizes places;
  for (std::size_t i = 0; i < kAxes; ++i) {
    const auto smallest = std::max<std::int64_t>(1, s.reach(i) - 2 * s.padding[i]);
    places.push_back(smallest + any_of_range(0, 4));
  }
  Convolution module(nn::ConvOptions<kAxes>(s.in, s.out, s.kernel)
                         .stride(s.stride)
                         .padding(Sizes(s.padding))
                         .dilation(s.dilation)
                         .groups(s.groups)
                         .bias(s.bias));
  return convolution_layer(module, s, places);
}

template <typename Convolution, std::size_t kAxes>
AnyLayer transposed_convolution() {
  const ConvolutionSettings s(kAxes);
  Sizes places;
  Sizes extra;
  for (std::size_t i = 0; i < kAxes; ++i) {
    extra.push_back(any_of_range(0, std::max(s.stride[i], s.dilation[i]) - 1));
    std::int64_t size = any_of_range(1, 4);
    while ((size - 1) * s.stride[i] - 2 * s.padding[i] + s.reach(i) + extra[i] < 1) ++size;
    places.push_back(size);
  }
  Convolution module(nn::ConvTransposeOptions<kAxes>(s.in, s.out, s.kernel)
                         .stride(s.stride)
                         .padding(s.padding)
                         .output_padding(extra)
                         .dilation(s.dilation)
                         .groups(s.groups)
                         .bias(s.bias));
  auto result = convolution_layer(module, s, places);
  result.description += describe("output padding", extra);
  return result;
}

}  // namespace

AnyLayer any_conv1d() { return convolution<nn::Conv1d, 1>(); }
AnyLayer any_conv2d() { return convolution<nn::Conv2d, 2>(); }
AnyLayer any_conv3d() { return convolution<nn::Conv3d, 3>(); }
AnyLayer any_conv_transpose1d() { return transposed_convolution<nn::ConvTranspose1d, 1>(); }
AnyLayer any_conv_transpose2d() { return transposed_convolution<nn::ConvTranspose2d, 2>(); }
AnyLayer any_conv_transpose3d() { return transposed_convolution<nn::ConvTranspose3d, 3>(); }

}  // namespace sotto::grad
