// Exact sums in which every record's row counts with a bounded norm.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace sotto {

// Rows of records of several kinds, each scaled down to norm `bound` where it is larger and cut off
// to whole units; one that is not finite counts as zero. What a record adds depends on its row
// alone, bit for bit, and has norm at most `bound`; adding up rounds nothing.
class ClippedRowSums {
 public:
  ClippedRowSums(std::int64_t kinds, double bound);

  // rows (n, d), float or double; kinds (n), int64, each below the number of kinds. Throws
  // InvalidArgument for any other.
  void add(const at::Tensor& rows, const at::Tensor& kinds);
  // (kinds, d), in units; not defined if no row was added.
  const at::Tensor& sums() const { return sums_; }
  double unit() const { return unit_; }

 private:
  std::int64_t kinds_;
  double bound_;
  double unit_;
  std::int64_t rows_ = 0;
  at::Tensor sums_;
};

}  // namespace sotto
