#include "engine/no_whole_batches.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/embedding_renorm.h>
#include <ATen/ops/equal.h>
#include <torch/library.h>

#include <atomic>

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

}  // namespace

NoWholeBatches::NoWholeBatches() { ++alive; }
NoWholeBatches::~NoWholeBatches() { --alive; }

// Instead of LibTorch's for autograd in general, which passes both on.
TORCH_LIBRARY_IMPL(aten, AutogradCPU, library) {
  library.impl("equal", equal);
  library.impl("embedding_renorm_", renormalise);
}

}  // namespace sotto
