// Uses whose per-sample gradient is a sum of outer products: sum over t of left[t] x right[t].
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "grad/shared_use.h"

namespace sotto::grad {

// Writes the gradients of single samples, in an order of its own. One thread's: it holds scratch.
class SampleWriter {
 public:
  SampleWriter() = default;
  SampleWriter(const SampleWriter&) = delete;
  SampleWriter& operator=(const SampleWriter&) = delete;
  virtual ~SampleWriter() = default;

  // gradient: I · O floats, overwritten or added to.
  virtual void write(std::int64_t sample, bool add, float* gradient) = 0;
};

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
  // Rows cost nothing: they need not be made.
  virtual bool rows_are_stored() const { return false; }
  virtual bool has_writer() const { return false; }
  virtual std::unique_ptr<SampleWriter> writer() const { return nullptr; }
  // What a writer wrote, (n, I · O), as (n, *shape): a view.
  virtual at::Tensor in_shape(const at::Tensor& written) const { return written; }

  at::Tensor per_sample(std::int64_t begin, std::int64_t end) const override;
  at::Tensor exact_sum(const ExactFactors& factors) const override;

  const Shape& shape() const { return shape_; }
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
  bool rows_are_stored() const override { return true; }
  void discard(const at::Tensor& bad) override;

 private:
  Rows rows_;
};

// The same gradient of a matrix, seen as that of its transpose.
class TransposedUse final : public OuterProductUse {
 public:
  explicit TransposedUse(std::shared_ptr<OuterProductUse> use);

  Rows rows(std::int64_t begin, std::int64_t end) const override;
  bool rows_are_stored() const override { return use_->rows_are_stored(); }
  bool isolates() const override { return use_->isolates(); }
  void discard(const at::Tensor& bad) override { use_->discard(bad); }

 private:
  std::shared_ptr<OuterProductUse> use_;
};

// How many samples to take at once, so that what is written for them stays small.
std::int64_t samples_at_once(std::int64_t elements_per_sample);

// All uses' rows one after another: (n, T, I) and (n, T, O), dense.
OuterProductUse::Rows joined_rows(const std::vector<const OuterProductUse*>& uses,
                                  std::int64_t samples);

// True if squared norms are cheaper by Gram matrices ("ghost norm", Li et al. 2022,
// arXiv:2110.05679) than by writing per-sample gradients out.
bool ghost_norm_is_cheaper(std::int64_t terms, std::int64_t left_size, std::int64_t right_size);

// Squared norms (N), double, of a use whose rows are stored, by kernels that store nothing. Not
// defined for other uses, for single terms, and in double precision.
at::Tensor stored_squared_norms(const OuterProductUse& use);

// By writers, one sample's gradient at a time: all uses' added up, nothing else stored. Norms and
// sums are of exactly the same gradients, rounding included. Only where have_writers().
bool have_writers(const std::vector<const OuterProductUse*>& uses);
// (end - begin, *shape)
at::Tensor written_gradients(const std::vector<const OuterProductUse*>& uses, std::int64_t begin,
                             std::int64_t end);
at::Tensor written_squared_norms(const std::vector<const OuterProductUse*>& uses);

// True if a gradient's entries are soon computed against a Gram matrix of its terms, in double.
bool writing_is_cheaper(std::int64_t terms, std::int64_t left_size, std::int64_t right_size);

// Squared norms (N), double, of the sum of several uses of the same tensor.
at::Tensor ghost_squared_norms(const std::vector<const OuterProductUse*>& uses);

}  // namespace sotto::grad
