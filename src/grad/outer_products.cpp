#include "grad/outer_products.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "grad/exact_rows.h"

namespace sotto::grad {
namespace {

using at::Tensor;

Tensor zero_where(const Tensor& bad, const Tensor& t) {
  Shape shape(t.dim(), 1);
  shape[0] = t.size(0);
  return t.masked_fill(bad.reshape(shape), 0);
}

}  // namespace

std::int64_t samples_at_once(std::int64_t elements_per_sample) {
  constexpr std::int64_t kElementsAtOnce = 1 << 23;
  return std::max<std::int64_t>(1,
                                kElementsAtOnce / std::max<std::int64_t>(1, elements_per_sample));
}

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

Tensor OuterProductUse::exact_sum(const ExactFactors& factors) const {
  if (samples_ == 0 || !rows_are_stored()) return {};
  const Rows all = rows(0, samples_);
  const bool single = all.left.scalar_type() == at::kFloat && all.right.scalar_type() == at::kFloat;
  return single ? exact_sum_of_products(all, factors).reshape(shape_) : Tensor();
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

OuterProductUse::Rows joined_rows(const std::vector<const OuterProductUse*>& uses,
                                  std::int64_t samples) {
  std::vector<Tensor> lefts;
  std::vector<Tensor> rights;
  for (const auto* use : uses) {
    const auto [left, right] = use->rows(0, samples);
    lefts.push_back(left);
    rights.push_back(right);
  }
  return {at::cat(lefts, 1), at::cat(rights, 1)};
}

}  // namespace sotto::grad
