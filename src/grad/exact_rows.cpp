#include "grad/exact_rows.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "fused/exact_sums.h"
#include "fused/linear.h"
#include "fused/vector_kernels.h"
#include "grad/sample_writers.h"

namespace sotto::grad {
namespace {

using at::Tensor;
using fused::kMostCounted;
using fused::kPanel;

// Counts hold so many samples at most; then they go into the sum.
template <typename Add>
void in_counted_parts(std::int64_t samples, const Add& add) {
  for (std::int64_t begin = 0; begin < samples; begin += kMostCounted) {
    add(begin, std::min(samples, begin + kMostCounted));
  }
}

void add_rows(const float* rows, std::int64_t size, std::int64_t first, std::int64_t length,
              const ExactFactors& factors, double* sum) {
  const auto samples = static_cast<std::int64_t>(factors.values.size());
  std::vector<std::int32_t> counts(static_cast<std::size_t>(length));
  in_counted_parts(samples, [&](std::int64_t begin, std::int64_t end) {
    std::fill(counts.begin(), counts.end(), 0);
    for (std::int64_t i = begin; i < end; ++i) {
      const auto factor = static_cast<float>(factors.values[static_cast<std::size_t>(i)]);
      if (factor != 0) fused::add_cut_off(rows + i * size + first, length, factor, counts.data());
    }
    for (std::int64_t j = 0; j < length; ++j) sum[first + j] += counts[static_cast<std::size_t>(j)];
  });
}

void add_rows(const double* rows, std::int64_t size, std::int64_t first, std::int64_t length,
              const ExactFactors& factors, double* sum) {
  for (std::size_t i = 0; i < factors.values.size(); ++i) {
    const double factor = factors.values[i];
    const double* row = rows + static_cast<std::int64_t>(i) * size + first;
    for (std::int64_t j = 0; j < length && factor != 0; ++j) {
      sum[first + j] += std::trunc(factor * row[j]);
    }
  }
}

// One term a sample, a Linear layer's: left (n, O), right (n, I) -> (O, I).
Tensor sum_in_chains(const Tensor& left, const Tensor& right, const ExactFactors& factors) {
  const fused::Linear layer(right.size(1), left.size(1), {}, {0, true}, {});
  const std::int64_t samples = left.size(0);
  const fused::LinearBatch batch{right.data_ptr<float>(), left.data_ptr<float>(), samples,
                                 factors.values.data(), nullptr};
  const fused::ExactTerms exact{
      {factors.chain_ends.data(), static_cast<std::int64_t>(factors.chain_ends.size())}, 1, 1};
  std::vector<float> scaled(
      static_cast<std::size_t>(layer.scale_parts() * samples * fused::kBlock + fused::kSlack));
  std::vector<std::int32_t> row;
  for (std::int64_t n = 0; n < samples; ++n) {
    row.push_back(static_cast<std::int32_t>(n * fused::kBlock));
  }
  at::parallel_for(0, layer.scale_parts(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto at = begin; at < end; ++at) {
      layer.scale_gradients(batch, at, fused::kChainParts, scaled.data());
    }
  });
  const bool fits =
      factors.destination.defined() && factors.destination.numel() == left.size(1) * right.size(1);
  Tensor sum = fits ? factors.destination.view({left.size(1), right.size(1)})
                    : at::empty({left.size(1), right.size(1)}, at::kDouble);
  at::parallel_for(0, layer.outer_parts(samples), 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> scratch(fused::Linear::kPanelScratch + fused::kSlack);
    for (auto at = begin; at < end; ++at) {
      layer.add_outer_products(batch, exact, scaled.data(), row.data(), at, /*add=*/false,
                               scratch.data(), sum.data_ptr<double>());
    }
  });
  return sum;
}

// Columns `first` to `first` + 16 of all terms of a sample, together.
void pack_panel(const float* right, std::int64_t terms, std::int64_t outputs, std::int64_t first,
                float* panel) {
  const std::int64_t width = std::min(kPanel, outputs - first);
  for (std::int64_t t = 0; t < terms; ++t, right += outputs, panel += kPanel) {
    std::copy_n(right + first, width, panel);
    std::fill(panel + width, panel + kPanel, 0.0F);
  }
}

// Rows first, ..., last - 1 of the gradients of all samples.
class TermsSum {
 public:
  TermsSum(const OuterProductUse::Rows& rows, const ExactFactors& factors)
      : rows_(rows),
        factors_(factors),
        terms_(rows.left.size(1)),
        inputs_(rows.left.size(2)),
        outputs_(rows.right.size(2)) {
    for (std::int64_t t = 0; t < terms_; ++t) {
      row_.push_back(static_cast<std::int32_t>(t * inputs_));
    }
  }

  void add(std::int64_t first, std::int64_t last, double* sum) const {
    std::vector<std::int32_t> counts(static_cast<std::size_t>((last - first) * outputs_));
    std::vector<float> panel(static_cast<std::size_t>(terms_ * kPanel));
    in_counted_parts(rows_.left.size(0), [&](std::int64_t begin, std::int64_t end) {
      std::fill(counts.begin(), counts.end(), 0);
      for (std::int64_t i = begin; i < end; ++i) add_sample(i, first, last, panel, counts);
      for (std::size_t j = 0; j < counts.size(); ++j) {
        sum[first * outputs_ + static_cast<std::int64_t>(j)] += counts[j];
      }
    });
  }

 private:
  void add_sample(std::int64_t i, std::int64_t first, std::int64_t last, std::vector<float>& panel,
                  std::vector<std::int32_t>& counts) const {
    const auto factor = static_cast<float>(factors_.values[static_cast<std::size_t>(i)]);
    if (factor == 0) return;
    const float* left = rows_.left.data_ptr<float>() + i * terms_ * inputs_ + first;
    const float* right = rows_.right.data_ptr<float>() + i * terms_ * outputs_;
    for (std::int64_t column = 0; column < outputs_; column += kPanel) {
      pack_panel(right, terms_, outputs_, column, panel.data());
      fused::outer_sum_cut_off({left, row_.data(), panel.data(), kPanel, terms_}, last - first,
                               std::min(kPanel, outputs_ - column), factor, counts.data() + column,
                               outputs_);
    }
  }

  const OuterProductUse::Rows& rows_;
  const ExactFactors& factors_;
  std::int64_t terms_;
  std::int64_t inputs_;
  std::int64_t outputs_;
  std::vector<std::int32_t> row_;
};

}  // namespace

ExactFactors ExactFactors::of_samples(std::int64_t begin, std::int64_t end) const {
  return {{values.begin() + begin, values.begin() + end}, {}, {}};
}

Tensor exact_sum_of_rows(const Tensor& g, const ExactFactors& factors) {
  const Tensor rows = g.reshape({g.size(0), -1}).contiguous();
  Tensor sum = at::zeros(g.sizes().slice(1), at::kDouble);
  AT_DISPATCH_FLOATING_TYPES(rows.scalar_type(), "exact_sum_of_rows", [&] {
    at::parallel_for(0, rows.size(1), 256, [&](std::int64_t begin, std::int64_t end) {
      add_rows(rows.data_ptr<scalar_t>(), rows.size(1), begin, end - begin, factors,
               sum.data_ptr<double>());
    });
  });
  return sum;
}

Tensor exact_sum_of_products(const OuterProductUse::Rows& rows, const ExactFactors& factors) {
  const OuterProductUse::Rows dense{rows.left.contiguous(), rows.right.contiguous()};
  if (dense.left.size(1) == 1) {
    return sum_in_chains(dense.left.squeeze(1), dense.right.squeeze(1), factors);
  }
  Tensor sum = at::zeros({dense.left.size(2), dense.right.size(2)}, at::kDouble);
  const TermsSum terms(dense, factors);
  at::parallel_for(0, dense.left.size(2), fused::kBlock, [&](std::int64_t begin, std::int64_t end) {
    terms.add(begin, end, sum.data_ptr<double>());
  });
  return sum;
}

Tensor exact_sum_by_writers(const std::vector<const OuterProductUse*>& uses,
                            const ExactFactors& factors) {
  const auto entries = uses[0]->left_size() * uses[0]->right_size();
  const auto samples = static_cast<std::int64_t>(factors.values.size());
  Tensor sum = at::zeros({1, entries}, at::kDouble);
  std::mutex guard;
  at::parallel_for(0, samples, 1, [&](std::int64_t begin, std::int64_t end) {
    SampleWriters writers(uses);
    std::vector<float> gradient(static_cast<std::size_t>(entries));
    std::vector<std::int32_t> counts(gradient.size());
    in_counted_parts(end - begin, [&](std::int64_t from, std::int64_t to) {
      std::fill(counts.begin(), counts.end(), 0);
      for (std::int64_t i = begin + from; i < begin + to; ++i) {
        const auto factor = static_cast<float>(factors.values[static_cast<std::size_t>(i)]);
        if (factor == 0) continue;
        writers.write(i, gradient.data());
        fused::add_cut_off(gradient.data(), entries, factor, counts.data());
      }
      const std::lock_guard lock(guard);
      auto* out = sum.data_ptr<double>();
      for (std::size_t j = 0; j < counts.size(); ++j) out[j] += counts[j];
    });
  });
  return sum;
}

}  // namespace sotto::grad
