#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

#include "fused/vector_kernels.h"
#include "grad/outer_products.h"
#include "grad/sample_writers.h"

namespace sotto::grad {
namespace {

using at::Tensor;
using Uses = std::vector<const OuterProductUse*>;

std::int64_t entries(const Uses& uses) { return uses[0]->left_size() * uses[0]->right_size(); }

}  // namespace

bool have_writers(const Uses& uses) {
  return !uses.empty() &&
         std::all_of(uses.begin(), uses.end(), [](const auto* use) { return use->has_writer(); });
}

Tensor written_gradients(const Uses& uses, std::int64_t begin, std::int64_t end) {
  const Tensor written = at::empty({end - begin, entries(uses)}, at::kFloat);
  auto* out = written.data_ptr<float>();
  at::parallel_for(begin, end, 1, [&](std::int64_t first, std::int64_t last) {
    SampleWriters writers(uses);
    for (std::int64_t i = first; i < last; ++i) writers.write(i, out + (i - begin) * entries(uses));
  });
  return uses[0]->in_shape(written);
}

Tensor written_squared_norms(const Uses& uses) {
  Tensor norms = at::empty({uses[0]->samples()}, at::kDouble);
  auto* out = norms.data_ptr<double>();
  at::parallel_for(0, norms.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
    SampleWriters writers(uses);
    std::vector<float> gradient(static_cast<std::size_t>(entries(uses)));
    for (std::int64_t i = begin; i < end; ++i) {
      writers.write(i, gradient.data());
      out[i] = fused::sum_of_squares(gradient.data(), entries(uses));
    }
  });
  return norms;
}

}  // namespace sotto::grad
