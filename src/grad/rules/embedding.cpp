#include <ATen/ATen.h>

#include "grad/exact_rows.h"
#include "grad/libtorch/nodes.h"
#include "grad/rules/rules.h"
#include "grad/sample_major.h"

namespace sotto::grad {
namespace {

using at::Tensor;

// Each row of `values` is added to row index[r] of the table in the gradient of sample owner[r].
class LookupUse final : public SharedUse {
 public:
  LookupUse(Shape shape, std::int64_t samples, Tensor owner, Tensor index, Tensor values)
      : shape_(std::move(shape)),
        samples_(samples),
        owner_(std::move(owner)),
        index_(std::move(index)),
        values_(std::move(values)) {}

  Tensor per_sample(std::int64_t begin, std::int64_t end) const override {
    const Tensor mine = ((owner_ >= begin) & (owner_ < end)).nonzero().flatten();
    const Tensor row =
        (owner_.index_select(0, mine) - begin) * shape_[0] + index_.index_select(0, mine);
    return at::zeros({(end - begin) * shape_[0], shape_[1]}, values_.options())
        .index_add_(0, row, values_.index_select(0, mine))
        .reshape({end - begin, shape_[0], shape_[1]});
  }

  // Of a sample's own rows, those that it looked up several times added first.
  Tensor exact_sum(const ExactFactors& factors) const override {
    const auto [sums, owners, keys] = rows_of_samples();
    const Tensor of_samples = at::tensor(factors.values, at::kDouble);
    const Tensor c = of_samples.index_select(0, owners).unsqueeze(1);
    const Tensor counts = (sums.to(at::kDouble) * c).masked_fill_(c == 0, 0).trunc_();
    const Tensor index = keys.remainder(shape_[0]);
    return at::zeros(shape_, counts.options()).index_add_(0, index, counts);
  }

  Tensor squared_norms() const override {
    const auto [sums, owners, keys] = rows_of_samples();
    return at::zeros({samples_}, values_.options().dtype(at::kDouble))
        .index_add_(0, owners, squared_norm_of_rows(sums));
  }

  void discard(const Tensor& bad) override {
    values_ = values_.masked_fill(bad.index_select(0, owner_).unsqueeze(1), 0);
  }

 private:
  // Row `keys % V` of the gradient of sample `owners` is `sums`, each pair once.
  struct SampleRows {
    Tensor sums;    // (K, D)
    Tensor owners;  // (K)
    Tensor keys;    // (K)
  };
  SampleRows rows_of_samples() const {
    const auto [keys, place, counts] = at::_unique2(owner_ * shape_[0] + index_, true, true);
    const Tensor sums =
        at::zeros({keys.size(0), shape_[1]}, values_.options()).index_add_(0, place, values_);
    return {sums, at::floor_divide(keys, at::scalar_tensor(shape_[0], keys.options())), keys};
  }

  Shape shape_;  // (V, D)
  std::int64_t samples_;
  Tensor owner_;   // (R)
  Tensor index_;   // (R)
  Tensor values_;  // (R, D)
};

Tensor owners_of(const UseOf& use, const Tensor& indices) {
  Shape shape(indices.dim(), 1);
  const Tensor ids = at::arange(use.samples, indices.options().dtype(at::kLong))
                         .reshape({1, use.samples, 1})
                         .expand({use.axis.before, use.samples, use.axis.after})
                         .reshape({-1});
  shape[use.axis.axis] = ids.size(0);
  return ids.reshape(shape).expand(indices.sizes()).reshape({-1});
}

std::unique_ptr<SharedUse> lookup(const UseOf& use, Tensor owner, Tensor index, Tensor values,
                                  std::int64_t padding_idx) {
  if (padding_idx >= 0) {
    const Tensor kept = (index != padding_idx).nonzero().flatten();
    owner = owner.index_select(0, kept);
    index = index.index_select(0, kept);
    values = values.index_select(0, kept);
  }
  return std::make_unique<LookupUse>(use.shape(), use.samples, owner, index, values);
}

}  // namespace

std::unique_ptr<SharedUse> embedding_use(const UseOf& use) {
  auto& node = use.node<gen::EmbeddingBackward0>();
  const Tensor indices = node.indices_.unpack(use.boundary.node).to(at::kLong);
  const Tensor values = use.gradient.reshape({-1, use.gradient.size(-1)});
  return lookup(use, owners_of(use, indices), indices.reshape({-1}), values,
                whole(node.padding_idx));
}

std::unique_ptr<SharedUse> embedding_bag_use(const UseOf& use) {
  auto& node = use.node<gen::EmbeddingBagBackward0>();
  if (node.mode == 2) return nullptr;  // max: the masked rule
  const Tensor indices = node.indices_.unpack(use.boundary.node).to(at::kLong);
  const Tensor offsets = node.offsets_.unpack(use.boundary.node).to(at::kLong);
  const std::int64_t bags = use.gradient.size(0);
  const Tensor starts = offsets.narrow(0, 0, bags);
  // The bag of each index: how many bags start at or before it, less one.
  const Tensor places = at::arange(indices.size(0), starts.options());
  const Tensor bag = at::searchsorted(starts, places, false, /*right=*/true) - 1;
  Tensor values = use.gradient.index_select(0, bag);
  const Tensor counted =
      node.padding_idx >= 0 ? (indices != node.padding_idx) : at::ones_like(indices, at::kBool);
  if (node.mode == 1) {  // mean over the bag's indices that count
    const Tensor sizes = at::zeros({bags}, values.options())
                             .index_add_(0, bag, counted.to(values.scalar_type()))
                             .clamp_min_(1);
    values = values / sizes.index_select(0, bag).unsqueeze(1);
  }
  const Tensor weights = node.per_sample_weights_.unpack(use.boundary.node);
  if (weights.defined()) values = values * weights.unsqueeze(1);
  const Tensor owner = at::floor_divide(bag, at::scalar_tensor(use.axis.after, bag.options()))
                           .remainder(use.samples);
  return lookup(use, owner, indices, values, node.padding_idx);
}

}  // namespace sotto::grad
