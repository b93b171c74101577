#include "grad/sample_layout.h"

#include <functional>
#include <numeric>

namespace sotto::grad {

std::int64_t element_count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::optional<SampleAxis> find_sample_axis(const Shape& shape, const SampleLayout& layout,
                                           std::int64_t samples) {
  std::int64_t trailing = 1;  // elements behind the axis
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const std::int64_t with_axis = trailing * shape[axis];
    if (with_axis == 0) return std::nullopt;
    if (layout.inner % trailing == 0 && with_axis % (layout.inner * samples) == 0) {
      const std::int64_t after = layout.inner / trailing;
      return SampleAxis{axis, shape[axis] / (samples * after), after};
    }
    trailing = with_axis;
  }
  return std::nullopt;
}

std::optional<SampleLayout> layout_with_axis(const Shape& shape, const SampleAxis& axis,
                                             std::int64_t samples) {
  if (axis.axis >= shape.size() || shape[axis.axis] != axis.before * samples * axis.after) {
    return std::nullopt;
  }
  SampleLayout layout{axis.before, axis.after};
  for (std::size_t i = 0; i < axis.axis; ++i) layout.outer *= shape[i];
  for (std::size_t i = axis.axis + 1; i < shape.size(); ++i) layout.inner *= shape[i];
  return layout;
}

}  // namespace sotto::grad
