// Which elements of a tensor belong to which sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sotto::grad {

using Shape = std::vector<std::int64_t>;

std::int64_t element_count(const Shape& shape);

// A tensor each of whose elements belongs to one of N samples. Read in row-major order, it is
// (outer, N, inner). A reshape changes nothing of that.
struct SampleLayout {
  std::int64_t outer = 1;
  std::int64_t inner = 1;

  bool operator==(const SampleLayout&) const = default;
};

// Where the N samples lie inside a shape: axis `axis` has size before·N·after.
struct SampleAxis {
  std::size_t axis = 0;
  std::int64_t before = 1;
  std::int64_t after = 1;
};

// Nothing if the samples do not lie within one axis. Needs samples >= 2: with one sample the axis
// would not be determined.
std::optional<SampleAxis> find_sample_axis(const Shape& shape, const SampleLayout& layout,
                                           std::int64_t samples);

// The layout of a tensor of this shape whose axis `axis.axis` has size before·N·after; nothing if
// it has another size.
std::optional<SampleLayout> layout_with_axis(const Shape& shape, const SampleAxis& axis,
                                             std::int64_t samples);

}  // namespace sotto::grad
