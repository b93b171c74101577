#include "grad/outer_products.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "fused/matrix_kernels.h"
#include "fused/vector_kernels.h"
#include "grad/sample_major.h"

namespace sotto::grad {
namespace {

using at::Tensor;

constexpr std::int64_t kElementsAtOnce = 1 << 23;

std::int64_t samples_at_once(std::int64_t elements_per_sample) {
  return std::max<std::int64_t>(1,
                                kElementsAtOnce / std::max<std::int64_t>(1, elements_per_sample));
}

Tensor zero_where(const Tensor& bad, const Tensor& t) {
  Shape shape(t.dim(), 1);
  shape[0] = t.size(0);
  return t.masked_fill(bad.reshape(shape), 0);
}

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

// As gram_squared_norms(), without a call for each sample's small matrices. All rows are dense
// float.
Tensor few_terms_squared_norms(const std::vector<OuterProductUse::Rows>& uses, std::int64_t terms) {
  const std::int64_t samples = uses[0].left.size(0);
  const std::int64_t inputs = uses[0].left.size(2);
  const std::int64_t outputs = uses[0].right.size(2);
  const Tensor squares = at::empty({samples}, at::kDouble);
  const Tensor sizes = at::empty({samples}, at::kDouble);
  auto* square = squares.data_ptr<double>();
  auto* size = sizes.data_ptr<double>();
  at::parallel_for(0, samples, 1, [&](std::int64_t begin, std::int64_t end) {
    Terms rows;
    for (std::int64_t i = begin; i < end; ++i) {
      rows.left.clear();
      rows.right.clear();
      for (const auto& [left, right] : uses) {
        for (std::int64_t t = 0; t < left.size(1); ++t) {
          rows.left.push_back(left.data_ptr<float>() + (i * left.size(1) + t) * inputs);
          rows.right.push_back(right.data_ptr<float>() + (i * left.size(1) + t) * outputs);
        }
      }
      square[i] = size[i] = 0;
      for (std::size_t t = 0; t < rows.left.size(); ++t) {
        for (std::size_t u = 0; u <= t; ++u) {
          const double product = fused::dot(rows.left[t], rows.left[u], inputs) *
                                 fused::dot(rows.right[t], rows.right[u], outputs);
          square[i] += t == u ? product : 2 * product;
          if (t == u) size[i] += std::sqrt(product);
        }
      }
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

// All uses' rows one after another: (n, T, I) and (n, T, O), dense. Kernels may read a little past
// the end of the second, which has room for it.
OuterProductUse::Rows joined_rows(const std::vector<const OuterProductUse*>& uses,
                                  std::int64_t samples) {
  std::vector<Tensor> lefts;
  std::vector<Tensor> rights;
  for (const auto* use : uses) {
    const auto [left, right] = use->rows(0, samples);
    lefts.push_back(left);
    rights.push_back(right);
  }
  const Tensor left = lefts.size() == 1 ? lefts[0].contiguous() : at::cat(lefts, 1);
  Tensor right = rights.size() == 1 ? rights[0].contiguous() : at::cat(rights, 1);
  if (right.size(2) % fused::kPanel != 0) {
    const Tensor roomy = at::empty({right.numel() + fused::kSlack}, right.options());
    roomy.narrow(0, right.numel(), fused::kSlack).zero_();
    right = roomy.narrow(0, 0, right.numel()).view(right.sizes()).copy_(right);
  }
  return {left, right};
}

}  // namespace

OuterProductUse::OuterProductUse(Shape shape, std::int64_t samples, std::int64_t terms,
                                 std::int64_t left_size, std::int64_t right_size)
    : shape_(std::move(shape)),
      samples_(samples),
      terms_(terms),
      left_size_(left_size),
      right_size_(right_size) {}

Tensor OuterProductUse::per_sample(std::int64_t begin, std::int64_t end) const {
  Shape sizes{end - begin};
  sizes.insert(sizes.end(), shape_.begin(), shape_.end());
  const std::int64_t step = samples_at_once(terms_ * (left_size_ + right_size_));
  std::vector<Tensor> parts;
  for (std::int64_t first = begin; first < end; first += step) {
    const auto [left, right] = rows(first, std::min(end, first + step));
    parts.push_back(at::bmm(left.transpose(1, 2), right));
  }
  return (parts.size() == 1 ? parts[0] : at::cat(parts)).reshape(sizes);
}

Tensor OuterProductUse::weighted_sum(const Tensor& factors) const {
  Tensor sum;
  const std::int64_t step = samples_at_once(terms_ * (left_size_ + right_size_));
  for (std::int64_t begin = 0; begin < samples_; begin += step) {
    const std::int64_t end = std::min(samples_, begin + step);
    auto [left, right] = rows(begin, end);
    const Tensor c =
        factors.narrow(0, begin, end - begin).to(left.scalar_type()).reshape({-1, 1, 1});
    (left_size_ < right_size_ ? left : right) = (left_size_ < right_size_ ? left : right) * c;
    const Tensor part =
        at::mm(left.reshape({-1, left_size_}).t(), right.reshape({-1, right_size_}));
    sum = sum.defined() ? sum.add_(part) : part;
  }
  return sum.reshape(shape_);
}

StoredRowsUse::StoredRowsUse(Shape shape, Rows rows)
    : OuterProductUse(std::move(shape), rows.left.size(0), rows.left.size(1), rows.left.size(2),
                      rows.right.size(2)),
      rows_(std::move(rows)) {}

OuterProductUse::Rows StoredRowsUse::rows(std::int64_t begin, std::int64_t end) const {
  return {rows_.left.narrow(0, begin, end - begin), rows_.right.narrow(0, begin, end - begin)};
}

void StoredRowsUse::discard(const Tensor& bad) {
  rows_ = {zero_where(bad, rows_.left), zero_where(bad, rows_.right)};
}

TransposedUse::TransposedUse(std::shared_ptr<OuterProductUse> use)
    : OuterProductUse({use->shape()[1], use->shape()[0]}, use->samples(), use->terms(),
                      use->right_size(), use->left_size()),
      use_(std::move(use)) {}

OuterProductUse::Rows TransposedUse::rows(std::int64_t begin, std::int64_t end) const {
  auto [left, right] = use_->rows(begin, end);
  return {right, left};
}

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

Tensor joined_weighted_sum(const std::vector<const OuterProductUse*>& uses, const Tensor& factors) {
  for (const auto* use : uses) {
    if (!use->rows_are_stored()) return {};
  }
  return StoredRowsUse(uses[0]->shape(), joined_rows(uses, uses[0]->samples()))
      .weighted_sum(factors);
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
