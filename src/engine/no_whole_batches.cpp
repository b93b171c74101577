#include "engine/no_whole_batches.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/binary_cross_entropy_native.h>
#include <ATen/ops/embedding_renorm.h>
#include <ATen/ops/equal.h>
#include <torch/library.h>

#include <atomic>
#include <limits>

#include "grad/libtorch/warnings.h"
#include "sotto/core/error.h"

namespace sotto {
namespace {

std::atomic<int> alive{0};

// As attention asks, of sequences (T, N, E) or (N, T, E). Whatever else is compared is compared.
bool equal(const at::Tensor& one, const at::Tensor& other) {
  if (alive.load() == 0 || one.dim() != 3) {
    const at::AutoDispatchBelowAutograd ordinary;
    return at::equal(one, other);
  }
  return one.is_same(other) ||
         (one.has_storage() && other.has_storage() && one.data_ptr() == other.data_ptr() &&
          one.scalar_type() == other.scalar_type() && one.sizes() == other.sizes() &&
          one.strides() == other.strides());
}

at::Tensor& renormalise(at::Tensor& table, const at::Tensor& words, double max_norm,
                        double norm_type) {
  check_argument(
      alive.load() == 0,
      "an embedding's max_norm scales down the rows that records look up, without noise: "
      "leave it out while there is a private engine");
  const at::AutoDispatchBelowAutograd ordinary;
  return at::embedding_renorm_(table, words, max_norm, norm_type);
}

// LibTorch throws if one number of a batch is outside [0, 1], or none at all. That element's loss
// is NaN here; its gradient is LibTorch's own, clipped like any other, and nothing if it is NaN.
at::Tensor binary_cross_entropy(const at::Tensor& input, const at::Tensor& target,
                                const c10::optional<at::Tensor>& weight, std::int64_t reduction) {
  if (alive.load() == 0) {
    return at::native::binary_cross_entropy_cpu(input, target, weight, reduction);
  }
  const at::Tensor outside = input.ge(0).logical_and_(input.le(1)).logical_not_();
  at::Tensor losses = at::native::binary_cross_entropy_cpu(input.masked_fill(outside, 0.5), target,
                                                           weight, at::Reduction::None);
  losses.masked_fill_(outside, std::numeric_limits<double>::quiet_NaN());
  if (reduction == at::Reduction::None) return losses;
  return reduction == at::Reduction::Mean ? losses.mean() : losses.sum();
}

}  // namespace

NoWholeBatches::NoWholeBatches() { ++alive; }
NoWholeBatches::~NoWholeBatches() { --alive; }

// Instead of LibTorch's for autograd in general, which passes both on.
TORCH_LIBRARY_IMPL(aten, AutogradCPU, library) {
  library.impl("equal", equal);
  library.impl("embedding_renorm_", renormalise);
}

// Below autograd, so that the gradient is LibTorch's own.
TORCH_LIBRARY_IMPL(aten, CPU, library) {
  const grad::NoWarnings quiet;  // of a kernel in the place of another: it is meant
  library.impl("binary_cross_entropy", binary_cross_entropy);
}

}  // namespace sotto
