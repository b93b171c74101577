// Sums in which every record's row counts with a bounded norm.
#pragma once

#include <ATen/core/Tensor.h>

namespace sotto {

// rows (n, d), one_hot (n, kinds) -> (kinds, d), double: for each kind the sum of its rows, each
// scaled down to norm `bound` where it is larger; one that is not finite counts as zero.
at::Tensor sums_of_clipped_rows(const at::Tensor& rows, double bound, const at::Tensor& one_hot);

}  // namespace sotto
