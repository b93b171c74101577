// Squared norms of sums of outer products.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>

#include "fused/matrix_kernels.h"
#include "fused/vector_kernels.h"
#include "grad/outer_products.h"
#include "grad/sample_major.h"

namespace sotto::grad {
namespace {

using at::Tensor;

// One outer product a sample: its norm is the product of norms.
Tensor single_term_squared_norms(const OuterProductUse& use) {
  const auto [left, right] = use.rows(0, use.samples());
  return squared_norm_of_rows(left) * squared_norm_of_rows(right);
}

// The clipped sum is a product in the rows' own precision, whose rounding is up to `allowance`.
// Where a sample's terms cancel, that is all there is: its norm is then taken to be larger by as
// much, so that what is added stays within the bound. squares (n); sizes (n): the sum of the norms
// of a sample's terms.
Tensor with_rounding(const Tensor& squares, const Tensor& sizes, std::int64_t terms,
                     at::ScalarType precision) {
  constexpr double kNegligible = 0x1p-6;
  const double unit = precision == at::kDouble ? 0x1p-53 : 0x1p-24;
  const Tensor allowance = sizes * (unit * static_cast<double>(terms + 8));
  const Tensor norms = squares.sqrt();
  return at::where(allowance > kNegligible * norms, (norms + allowance).square(), squares);
}

// left (n, T, I), right (n, T, O) -> (n), double.
Tensor sizes_of_terms(const Tensor& left, const Tensor& right) {
  return (left.norm(2, {2}) * right.norm(2, {2})).to(at::kDouble).sum(1);
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
  return with_rounding(product.sum({1, 2}).clamp_min_(0), sizes_of_terms(left, right), left.size(1),
                       precision);
}

// The rows of a few terms of one sample.
struct Terms {
  std::vector<const float*> left;
  std::vector<const float*> right;
};

void point_at(const std::vector<OuterProductUse::Rows>& uses, std::int64_t sample, Terms& terms) {
  terms.left.clear();
  terms.right.clear();
  for (const auto& [left, right] : uses) {
    for (std::int64_t t = 0; t < left.size(1); ++t) {
      const std::int64_t row = sample * left.size(1) + t;
      terms.left.push_back(left.data_ptr<float>() + row * left.size(2));
      terms.right.push_back(right.data_ptr<float>() + row * right.size(2));
    }
  }
}

struct NormOfTerms {
  double square = 0;
  double size = 0;  // the sum of the terms' norms
};

NormOfTerms norm_of(const Terms& terms, std::int64_t inputs, std::int64_t outputs) {
  NormOfTerms norm;
  for (std::size_t t = 0; t < terms.left.size(); ++t) {
    for (std::size_t u = 0; u <= t; ++u) {
      const double product = fused::dot(terms.left[t], terms.left[u], inputs) *
                             fused::dot(terms.right[t], terms.right[u], outputs);
      norm.square += t == u ? product : 2 * product;
      if (t == u) norm.size += std::sqrt(product);
    }
  }
  return norm;
}

// As gram_squared_norms(), without a call for each sample's small matrices. All rows are dense
// float.
Tensor few_terms_squared_norms(const std::vector<OuterProductUse::Rows>& uses, std::int64_t terms) {
  const std::int64_t samples = uses[0].left.size(0);
  const Tensor squares = at::empty({samples}, at::kDouble);
  const Tensor sizes = at::empty({samples}, at::kDouble);
  auto* square = squares.data_ptr<double>();
  auto* size = sizes.data_ptr<double>();
  at::parallel_for(0, samples, 1, [&](std::int64_t begin, std::int64_t end) {
    Terms rows;
    for (std::int64_t i = begin; i < end; ++i) {
      point_at(uses, i, rows);
      const auto norm = norm_of(rows, uses[0].left.size(2), uses[0].right.size(2));
      square[i] = norm.square;
      size[i] = norm.size;
    }
  });
  return with_rounding(squares.clamp_min_(0), sizes, terms, at::kFloat);
}

// Not defined unless there are few terms, all stored and in float.
Tensor few_terms_squared_norms(const std::vector<const OuterProductUse*>& uses) {
  constexpr std::int64_t kFew = 8;
  std::vector<OuterProductUse::Rows> rows;
  std::int64_t terms = 0;
  for (const auto* use : uses) {
    terms += use->terms();
    if (!use->rows_are_stored() || terms > kFew) return {};
    const auto [left, right] = use->rows(0, use->samples());
    if (left.scalar_type() != at::kFloat || right.scalar_type() != at::kFloat) return {};
    rows.push_back({left.contiguous(), right.contiguous()});
  }
  return few_terms_squared_norms(rows, terms);
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

Tensor tiled_squared_norms(const std::vector<const OuterProductUse*>& uses) {
  std::int64_t terms = 0;
  for (const auto* use : uses) {
    if (!use->rows_are_stored()) return {};
    terms += use->terms();
  }
  const std::int64_t samples = uses[0]->samples();
  const std::int64_t inputs = uses[0]->left_size();
  const std::int64_t outputs = uses[0]->right_size();
  if (terms < 2 || samples == 0 || !writing_is_cheaper(terms, inputs, outputs)) return {};
  const auto [left, right] = joined_rows(uses, samples);
  if (left.scalar_type() != at::kFloat || right.scalar_type() != at::kFloat) return {};
  std::vector<std::int32_t> row;
  for (std::int64_t t = 0; t < terms; ++t) row.push_back(static_cast<std::int32_t>(t * inputs));
  const Tensor norms = at::empty({samples}, at::kDouble);
  const auto* a = left.data_ptr<float>();
  const auto* b = right.data_ptr<float>();
  auto* out = norms.data_ptr<double>();
  at::parallel_for(0, samples, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      out[i] = fused::outer_sum_of_squares(
          {a + i * terms * inputs, row.data(), b + i * terms * outputs, outputs, terms}, inputs,
          outputs);
    }
  });
  return with_rounding(norms, sizes_of_terms(left, right), terms, at::kFloat);
}

Tensor ghost_squared_norms(const std::vector<const OuterProductUse*>& uses) {
  if (uses.size() == 1 && uses[0]->terms() == 1) return single_term_squared_norms(*uses[0]);
  if (const Tensor norms = few_terms_squared_norms(uses); norms.defined()) return norms;
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
