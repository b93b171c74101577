// Uses whose per-sample gradient is a sum of outer products: sum over t of left[t] x right[t].
#pragma once

#include <utility>
#include <vector>

#include "grad/shared_use.h"

namespace sotto::grad {

class OuterProductUse : public SharedUse {
 public:
  struct Rows {
    at::Tensor left;   // (n, T, I)
    at::Tensor right;  // (n, T, O)
  };

  // `shape` is that of s, and (I, O) read in its order. `terms` is T.
  OuterProductUse(Shape shape, std::int64_t samples, std::int64_t terms, std::int64_t left_size,
                  std::int64_t right_size);

  virtual Rows rows(std::int64_t begin, std::int64_t end) const = 0;

  at::Tensor per_sample(std::int64_t begin, std::int64_t end) const override;
  at::Tensor weighted_sum(const at::Tensor& factors) const override;

  std::int64_t samples() const { return samples_; }
  std::int64_t terms() const { return terms_; }
  std::int64_t left_size() const { return left_size_; }
  std::int64_t right_size() const { return right_size_; }

 private:
  Shape shape_;
  std::int64_t samples_;
  std::int64_t terms_;
  std::int64_t left_size_;
  std::int64_t right_size_;
};

// Rows that are simply stored.
class StoredRowsUse final : public OuterProductUse {
 public:
  StoredRowsUse(Shape shape, Rows rows);

  Rows rows(std::int64_t begin, std::int64_t end) const override;
  void discard(const at::Tensor& bad) override;

 private:
  Rows rows_;
};

// True if squared norms are cheaper by Gram matrices ("ghost norm", Li et al. 2022,
// arXiv:2110.05679) than by writing per-sample gradients out.
bool ghost_norm_is_cheaper(std::int64_t terms, std::int64_t left_size, std::int64_t right_size);

// Squared norms (N), double, of the sum of several uses of the same tensor.
at::Tensor ghost_squared_norms(const std::vector<const OuterProductUse*>& uses);

}  // namespace sotto::grad
