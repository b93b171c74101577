// Squared norms of sums of outer products.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fused/exact_sums.h"
#include "fused/gram_kernel.h"
#include "fused/matrix_kernels.h"
#include "grad/outer_products.h"
#include "grad/sample_major.h"

namespace sotto::grad {
namespace {

using at::Tensor;

// One outer product a sample: its norm is the product of norms.
Tensor single_term_squared_norms(const OuterProductUse& use) {
  const auto [left, right] = use.rows(0, use.samples());
  const auto floats = [](const Tensor& squares) {
    return squares.masked_fill(squares > fused::kLargestSquare,
                               std::numeric_limits<double>::infinity());
  };
  return floats(squared_norm_of_rows(left)) * floats(squared_norm_of_rows(right));
}

// What is added of a sample is a sum of products in the rows' own precision, whose rounding is up
// to `allowance`: where its terms cancel, that may be all there is. So its norm is taken to be
// larger by as much, and what is added stays within the bound. squares (n); sizes (n): the sum of
// the norms of a sample's terms.
Tensor with_rounding(const Tensor& squares, const Tensor& sizes, std::int64_t terms,
                     at::ScalarType precision) {
  const double unit = precision == at::kDouble ? 0x1p-53 : 0x1p-24;
  const Tensor allowance = sizes * (unit * static_cast<double>(terms + 8));
  return (squares.sqrt() + allowance)
      .square()
      .masked_fill(sizes > fused::kLargestTerms, std::numeric_limits<double>::infinity());
}

// A sum of inner products' products errs by up to k·2^-53 of `sizes` squared, k the roundings that
// lead to it, in whatever order it is added up (Higham 2002, section 3.1). Where terms cancel the
// square could come out as nothing: it is taken to be larger by twice as much.
Tensor with_gram_rounding(const Tensor& squares, const Tensor& sizes,
                          const OuterProductUse::Rows& rows) {
  const auto terms = static_cast<double>(rows.left.size(1));
  const auto roundings =
      static_cast<double>(rows.left.size(2) + rows.right.size(2)) + terms * terms + 8;
  return squares.clamp_min(0) + sizes.square() * (roundings * 0x1p-52);
}

// left (n, T, I), right (n, T, O) -> (n), double. Infinite where a row is so large that another's
// squares may have vanished beside it (in double; floats' do not).
Tensor sizes_of_terms(const Tensor& left, const Tensor& right) {
  const auto norms = [](const Tensor& rows) {
    Tensor all = at::linalg_vector_norm(rows, 2, at::IntArrayRef{2}, false, at::kDouble);
    if (rows.scalar_type() != at::kDouble) return all;
    return all.masked_fill(all > std::sqrt(fused::kLargestSquare),
                           std::numeric_limits<double>::infinity());
  };
  return (norms(left) * norms(right)).sum(1);
}

// Sum over t, t' of (left_t . left_t') (right_t . right_t'), for samples begin..end-1. Terms
// cancel, so that float's round-off would not be small against the result: in double.
Tensor gram_squared_norms(const std::vector<const OuterProductUse*>& uses, std::int64_t begin,
                          std::int64_t end) {
  std::vector<Tensor> lefts;
  std::vector<Tensor> rights;
  auto precision = at::kDouble;
  for (const auto* use : uses) {
    const auto [left, right] = use->rows(begin, end);
    if (left.scalar_type() != at::kDouble) precision = at::kFloat;
    lefts.push_back(left.to(at::kDouble));
    rights.push_back(right.to(at::kDouble));
  }
  const Tensor left = at::cat(lefts, 1);
  const Tensor right = at::cat(rights, 1);
  const Tensor product =
      at::bmm(left, left.transpose(1, 2)).mul_(at::bmm(right, right.transpose(1, 2)));
  const Tensor sizes = sizes_of_terms(left, right);
  const Tensor squares = with_gram_rounding(product.sum({1, 2}), sizes, {left, right});
  return with_rounding(squares, sizes, left.size(1), precision);
}

// In units of a multiplication in float; those in double take twice as long, and rows are joined in
// blocks.
bool gram_kernel_is_cheaper(std::int64_t terms, std::int64_t left_size, std::int64_t right_size) {
  return (terms + 7) * (left_size + right_size) < left_size * right_size;
}

// As gram_squared_norms(), without a call for each sample's small matrices. Rows are dense float.
Tensor norms_by_gram_kernel(const OuterProductUse::Rows& rows) {
  const auto& [left, right] = rows;
  const auto terms = left.size(1);
  const auto inputs = left.size(2);
  const auto outputs = right.size(2);
  const Tensor squares = at::empty({left.size(0)}, at::kDouble);
  const Tensor sizes = at::empty({left.size(0)}, at::kDouble);
  const auto* a = left.data_ptr<float>();
  const auto* b = right.data_ptr<float>();
  auto* square = squares.data_ptr<double>();
  auto* size = sizes.data_ptr<double>();
  at::parallel_for(0, left.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto norm = fused::norm_of_terms(a + i * terms * inputs, inputs,
                                             b + i * terms * outputs, outputs, terms);
      square[i] = norm.square;
      size[i] = norm.size;
    }
  });
  return with_rounding(with_gram_rounding(squares, sizes, rows), sizes, terms, at::kFloat);
}

// The gradients' entries are added up a few at a time; none is stored. Rows are dense float.
Tensor norms_by_tiles(const OuterProductUse::Rows& rows) {
  const auto& [left, right] = rows;
  const auto terms = left.size(1);
  const auto inputs = left.size(2);
  const auto outputs = right.size(2);
  std::vector<std::int32_t> row;
  for (std::int64_t t = 0; t < terms; ++t) row.push_back(static_cast<std::int32_t>(t * inputs));
  const Tensor norms = at::empty({left.size(0)}, at::kDouble);
  const auto* a = left.data_ptr<float>();
  const auto* b = right.data_ptr<float>();
  auto* out = norms.data_ptr<double>();
  at::parallel_for(0, left.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> panel(static_cast<std::size_t>(terms * fused::kPanel));
    for (std::int64_t i = begin; i < end; ++i) {
      out[i] = fused::outer_sum_of_squares(
          {a + i * terms * inputs, row.data(), b + i * terms * outputs, outputs, terms}, inputs,
          outputs, panel.data());
    }
  });
  return with_rounding(norms, sizes_of_terms(left, right), terms, at::kFloat);
}

}  // namespace

bool ghost_norm_is_cheaper(std::int64_t terms, std::int64_t left_size, std::int64_t right_size) {
  if (terms == 1) return true;
  // Multiplications a sample; those of the Gram matrices are in double, at half the rate.
  const double ghost =
      2.0 * static_cast<double>(terms) * static_cast<double>(left_size + right_size);
  return ghost < static_cast<double>(left_size) * static_cast<double>(right_size);
}

bool writing_is_cheaper(std::int64_t terms, std::int64_t left_size, std::int64_t right_size) {
  constexpr double kFaster = 8;
  const double entries = static_cast<double>(left_size) * static_cast<double>(right_size);
  return entries <
         kFaster * static_cast<double>(terms) * static_cast<double>(left_size + right_size);
}

Tensor stored_squared_norms(const OuterProductUse& use) {
  if (!use.rows_are_stored() || use.terms() < 2 || use.samples() == 0) return {};
  auto [left, right] = use.rows(0, use.samples());
  if (left.scalar_type() != at::kFloat || right.scalar_type() != at::kFloat) return {};
  const OuterProductUse::Rows dense{left.contiguous(), right.contiguous()};
  return gram_kernel_is_cheaper(use.terms(), use.left_size(), use.right_size())
             ? norms_by_gram_kernel(dense)
             : norms_by_tiles(dense);
}

Tensor ghost_squared_norms(const std::vector<const OuterProductUse*>& uses) {
  if (uses.size() == 1 && uses[0]->terms() == 1) return single_term_squared_norms(*uses[0]);
  std::int64_t terms = 0;
  for (const auto* use : uses) terms += use->terms();
  const std::int64_t samples = uses[0]->samples();
  const std::int64_t step =
      samples_at_once(terms * (terms + uses[0]->left_size() + uses[0]->right_size()));
  std::vector<Tensor> norms;
  for (std::int64_t begin = 0; begin < samples; begin += step) {
    norms.push_back(gram_squared_norms(uses, begin, std::min(samples, begin + step)));
  }
  return at::cat(norms);
}

}  // namespace sotto::grad
