#include "grad/sample_major.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "fused/vector_kernels.h"

namespace sotto::grad {

using at::Tensor;

Tensor samples_first(const Tensor& t, const SampleAxis& axis, std::int64_t samples) {
  Shape split = t.sizes().vec();
  const auto at_axis = split.begin() + static_cast<std::ptrdiff_t>(axis.axis);
  const auto position = split.erase(at_axis);
  split.insert(position, {axis.before, samples, axis.after});
  const auto a = static_cast<std::int64_t>(axis.axis);
  std::vector<std::int64_t> order{a + 1, a, a + 2};
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(split.size()); ++i) {
    if (i < a || i > a + 2) order.push_back(i);
  }
  return t.reshape(split).permute(order);
}

Tensor rows_by_sample(const Tensor& t, const SampleAxis& axis, std::int64_t samples) {
  return samples_first(t, axis, samples).reshape({samples, axis.before * axis.after, t.size(1)});
}

Tensor reduce_to_operand(const Tensor& t, const SampleAxis& axis, std::int64_t samples,
                         const Shape& shape) {
  const Shape full = t.sizes().vec();
  const std::size_t missing = full.size() - shape.size();
  const Tensor first = samples_first(t, axis, samples);
  std::vector<std::int64_t> summed;
  const auto sum_over = [&](std::int64_t position) {
    if (first.size(position) != 1) summed.push_back(position);
  };
  sum_over(1);
  sum_over(2);
  std::int64_t position = 3;
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (i == axis.axis) continue;
    if (i < missing || shape[i - missing] != full[i]) sum_over(position);
    ++position;
  }
  Shape result{samples};
  result.insert(result.end(), shape.begin(), shape.end());
  return (summed.empty() ? first : first.sum(summed)).reshape(result);
}

Tensor rows_as_stored(const Tensor& g) {
  const std::int64_t rows = g.size(0);
  const std::int64_t entries = rows == 0 ? 0 : g.numel() / rows;
  if (entries > 0 && g.is_non_overlapping_and_dense() && g.stride(0) == entries) {
    return g.as_strided({rows, entries}, {entries, 1});
  }
  return (g.dim() == 1 ? g.unsqueeze(1) : g.flatten(1)).contiguous();
}

Tensor squared_norm_of_rows(const Tensor& g) {
  const Tensor rows = rows_as_stored(g);
  if (rows.scalar_type() != at::kFloat) return rows.to(at::kDouble).square().sum(1);
  Tensor squares = at::empty({rows.size(0)}, rows.options().dtype(at::kDouble));
  const auto* from = rows.data_ptr<float>();
  auto* to = squares.data_ptr<double>();
  at::parallel_for(0, rows.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      to[i] = fused::sum_of_squares(from + i * rows.size(1), rows.size(1));
    }
  });
  return squares;
}

}  // namespace sotto::grad
