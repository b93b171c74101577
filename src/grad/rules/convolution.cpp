#include <ATen/ATen.h>

#include <algorithm>

#include "grad/libtorch/nodes.h"
#include "grad/materialised_use.h"
#include "grad/outer_products.h"
#include "grad/rules/rules.h"
#include "grad/sample_convolution.h"
#include "grad/sample_major.h"

namespace sotto::grad {
namespace {

using at::Tensor;

struct Geometry {
  std::vector<std::int64_t> kernel, stride, padding, dilation;
  std::int64_t groups = 1;
};

// Every patch of x (n, C, *spatial) that the kernel sees at `positions` places an axis:
// (n, C·kernel elements, places), channels slowest.
Tensor unfold(const Tensor& x, const Geometry& geometry, const std::vector<std::int64_t>& places) {
  const std::size_t axes = geometry.kernel.size();
  std::vector<std::int64_t> pad;
  for (std::size_t i = axes; i-- > 0;) {
    const auto needed =
        (places[i] - 1) * geometry.stride[i] + (geometry.kernel[i] - 1) * geometry.dilation[i] + 1;
    const auto behind = needed - x.size(static_cast<std::int64_t>(i) + 2) - geometry.padding[i];
    pad.insert(pad.end(), {geometry.padding[i], std::max<std::int64_t>(behind, 0)});
  }
  const Tensor padded = at::constant_pad_nd(x.contiguous(), pad);
  std::vector<std::int64_t> sizes{x.size(0), x.size(1)};
  std::vector<std::int64_t> strides{padded.stride(0), padded.stride(1)};
  std::int64_t kernel_elements = 1;
  for (std::size_t i = 0; i < axes; ++i) {
    sizes.push_back(geometry.kernel[i]);
    strides.push_back(padded.stride(static_cast<std::int64_t>(i) + 2) * geometry.dilation[i]);
    kernel_elements *= geometry.kernel[i];
  }
  for (std::size_t i = 0; i < axes; ++i) {
    sizes.push_back(places[i]);
    strides.push_back(padded.stride(static_cast<std::int64_t>(i) + 2) * geometry.stride[i]);
  }
  return padded.as_strided(sizes, strides)
      .reshape({x.size(0), x.size(1) * kernel_elements, element_count(places)});
}

// The weight (small channels, wide channels / groups, *kernel) of a convolution, whose gradient
// pairs every value of the `small` map with the patch of the `wide` map that it came from. In a
// convolution `wide` is the input and `small` the output gradient; in a transposed one they change
// places.
struct Maps {
  Tensor wide;   // (M, C, *spatial), M = before·N·after items
  Tensor small;  // (M, O, *spatial)
  Geometry geometry;
};

std::vector<std::int64_t> spatial(const Tensor& map) { return map.sizes().slice(2).vec(); }

void zero_samples(Maps& maps, const Tensor& bad, std::int64_t items) {
  const Tensor of_items = bad.reshape({-1, 1}).expand({bad.size(0), items}).reshape({-1});
  for (auto* map : {&maps.wide, &maps.small}) {
    Shape shape(map->dim(), 1);
    shape[0] = map->size(0);
    *map = map->masked_fill(of_items.reshape(shape), 0);
  }
}

ConvolutionGeometry geometry_of(const Maps& maps) {
  ConvolutionGeometry result;
  result.channels = maps.wide.size(1);
  result.outputs = maps.small.size(1);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto axis = static_cast<std::int64_t>(i) + 2;
    result.wide[i] = maps.wide.size(axis);
    result.small[i] = maps.small.size(axis);
    result.kernel[i] = maps.geometry.kernel[i];
    result.stride[i] = maps.geometry.stride[i];
    result.padding[i] = maps.geometry.padding[i];
    result.dilation[i] = maps.geometry.dilation[i];
  }
  return result;
}

class ConvolutionWriter final : public SampleWriter {
 public:
  // The maps must be contiguous, and outlive it.
  explicit ConvolutionWriter(const Maps& maps)
      : wide_(maps.wide.data_ptr<float>()),
        small_(maps.small.data_ptr<float>()),
        wide_size_(maps.wide.stride(0)),
        small_size_(maps.small.stride(0)),
        kernel_(geometry_of(maps)) {}

  void write(std::int64_t sample, bool add, float* gradient) override {
    kernel_.write_gradient(wide_ + sample * wide_size_, small_ + sample * small_size_, add,
                           gradient);
  }

 private:
  const float* wide_;
  const float* small_;
  std::int64_t wide_size_;
  std::int64_t small_size_;
  SampleConvolution kernel_;
};

class ConvolutionUse final : public OuterProductUse {
 public:
  ConvolutionUse(Shape shape, Maps maps, std::int64_t samples)
      : OuterProductUse(std::move(shape), samples,
                        maps.small.size(0) / samples * element_count(spatial(maps.small)),
                        maps.small.size(1),
                        maps.wide.size(1) * element_count(maps.geometry.kernel)),
        maps_{maps.wide.detach().contiguous(), maps.small.detach().contiguous(),
              std::move(maps.geometry)},
        items_(maps_.small.size(0) / samples) {}

  Rows rows(std::int64_t begin, std::int64_t end) const override {
    const auto small = narrow(maps_.small, begin, end);
    const Tensor patches = unfold(narrow(maps_.wide, begin, end), maps_.geometry, spatial(small));
    return {by_term(small.flatten(2), end - begin), by_term(patches, end - begin)};
  }

  // Two axes in float have a kernel.
  bool has_writer() const override {
    constexpr std::int64_t kAddressable = std::int64_t{1} << 28;  // with padding
    return items_ == 1 && maps_.wide.dim() == 4 && maps_.wide.scalar_type() == at::kFloat &&
           maps_.small.scalar_type() == at::kFloat && maps_.wide.device().is_cpu() &&
           maps_.wide.numel() / std::max<std::int64_t>(1, maps_.wide.size(0)) < kAddressable;
  }
  std::unique_ptr<SampleWriter> writer() const override {
    return std::make_unique<ConvolutionWriter>(maps_);
  }
  // (n, *kernel, C, O) -> (n, O, C, *kernel)
  Tensor in_shape(const Tensor& written) const override {
    const auto& kernel = maps_.geometry.kernel;
    return written
        .view({written.size(0), kernel[0], kernel[1], maps_.wide.size(1), maps_.small.size(1)})
        .permute({0, 4, 3, 1, 2});
  }

  void discard(const Tensor& bad) override { zero_samples(maps_, bad, items_); }

 private:
  Tensor narrow(const Tensor& map, std::int64_t begin, std::int64_t end) const {
    return map.narrow(0, begin * items_, (end - begin) * items_);
  }
  // (n·items, channels, places) -> (n, items·places, channels)
  Tensor by_term(const Tensor& t, std::int64_t n) const {
    if (items_ == 1) return t.transpose(1, 2);
    return t.transpose(1, 2).reshape({n, items_ * t.size(2), t.size(1)});
  }

  Maps maps_;
  std::int64_t items_;
};

class GroupedConvolutionUse final : public SharedUse {
 public:
  GroupedConvolutionUse(Shape shape, Maps maps, std::int64_t samples)
      : shape_(std::move(shape)), maps_(std::move(maps)), items_(maps_.small.size(0) / samples) {}

  Tensor per_sample(std::int64_t begin, std::int64_t end) const override {
    const std::int64_t n = end - begin;
    const std::int64_t groups = maps_.geometry.groups;
    const Tensor small = maps_.small.narrow(0, begin * items_, n * items_);
    const Tensor wide = maps_.wide.narrow(0, begin * items_, n * items_);
    const Tensor patches = unfold(wide, maps_.geometry, spatial(small));
    const auto places = element_count(spatial(small));
    const Tensor left = small.reshape({n * items_ * groups, -1, places});
    const Tensor right = patches.reshape({n * items_ * groups, -1, places});
    Shape sizes{n, items_};
    sizes.insert(sizes.end(), shape_.begin(), shape_.end());
    return at::bmm(left, right.transpose(1, 2)).reshape(sizes).sum(1);
  }

  void discard(const Tensor& bad) override { zero_samples(maps_, bad, items_); }

 private:
  Shape shape_;
  Maps maps_;
  std::int64_t items_;
};

std::unique_ptr<SharedUse> weight_use(const UseOf& use, Maps maps) {
  if (maps.geometry.groups == 1) {
    return std::make_unique<ConvolutionUse>(use.shape(), std::move(maps), use.samples);
  }
  return std::make_unique<GroupedConvolutionUse>(use.shape(), std::move(maps), use.samples);
}

// Of a convolution's node, or of its backward pass'.
template <typename N>
Geometry geometry_of(const N& node, const Tensor& weight) {
  Geometry geometry{weight.sizes().slice(2).vec(), wholes(node.stride), wholes(node.padding),
                    wholes(node.dilation), whole(node.groups)};
  const std::size_t axes = geometry.kernel.size();
  for (auto* list : {&geometry.stride, &geometry.padding, &geometry.dilation}) {
    if (list->size() == 1) list->assign(axes, list->front());
  }
  return geometry;
}

}  // namespace

std::unique_ptr<SharedUse> convolution_use(const UseOf& use) {
  auto& node = use.node<gen::ConvolutionBackward0>();
  if (use.input() == 2) {
    const Tensor g = samples_first(use.gradient, use.axis, use.samples);  // (N, b, a, O, ...)
    const Tensor sums = g.flatten(4).sum(4);
    return std::make_unique<MaterialisedUse>(sums.sum({1, 2}));
  }
  if (use.axis.before != 1) return nullptr;
  const Tensor input = node.input_.unpack(use.boundary.node);
  const Tensor weight = node.weight_.unpack(use.boundary.node);
  const auto geometry = geometry_of(node, weight);
  if (node.transposed) return weight_use(use, {use.gradient, input, geometry});
  return weight_use(use, {input, use.gradient, geometry});
}

// The backward pass of a convolution, recorded: g_in = conv'(g_out, weight). For a tangent v of
// g_in the weight's gradient pairs g_out with the patches of v, as a convolution of v would.
std::unique_ptr<SharedUse> convolution_backward_use(const UseOf& use) {
  auto& node = use.node<gen::ConvolutionBackwardBackward0>();
  if (use.input() != 2 || use.boundary.output != 0 || use.axis.before != 1) return nullptr;
  const Tensor output_gradient = node.grad_output_.unpack();
  const auto geometry = geometry_of(node, node.weight_.unpack());
  if (node.transposed) return weight_use(use, {output_gradient, use.gradient, geometry});
  return weight_use(use, {use.gradient, output_gradient, geometry});
}

}  // namespace sotto::grad
