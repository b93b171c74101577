#include "fused/gram_kernel.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fused/gram_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sotto::fused::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A vector of a length that is not known now would be stepped over too far.
static_assert(!HWY_HAVE_SCALABLE);
const hn::ScalableTag<double> kReal;
const hn::Rebind<float, decltype(kReal)> kHalf;
const auto kWidth = static_cast<std::int64_t>(hn::MaxLanes(kReal));
constexpr std::int64_t kSide = 3;  // inner products of 3 rows with 3 are kept in registers

struct Block {
  double product[kSide][kSide];
};

HWY_INLINE auto load(const float* from) { return hn::PromoteTo(kReal, hn::LoadU(kHalf, from)); }

// Rows t, t + 1, ... with rows u, u + 1, ... of x (terms, size); beyond the last term, the last.
HWY_INLINE Block inner_products(const float* x, std::int64_t size, std::int64_t terms,
                                std::int64_t t, std::int64_t u) {
  const float* row[kSide];
  const float* column[kSide];
  for (std::int64_t k = 0; k < kSide; ++k) {
    row[k] = x + std::min(t + k, terms - 1) * size;
    column[k] = x + std::min(u + k, terms - 1) * size;
  }
  hn::Vec<decltype(kReal)> sum[kSide][kSide];
  for (auto& sums : sum) std::fill_n(sums, kSide, hn::Zero(kReal));
  std::int64_t i = 0;
  for (; i + kWidth <= size; i += kWidth) {
    hn::Vec<decltype(kReal)> y[kSide];
    for (std::int64_t c = 0; c < kSide; ++c) y[c] = load(column[c] + i);
    for (std::int64_t r = 0; r < kSide; ++r) {
      const auto a = load(row[r] + i);
      for (std::int64_t c = 0; c < kSide; ++c) sum[r][c] = hn::MulAdd(a, y[c], sum[r][c]);
    }
  }
  Block block{};
  for (std::int64_t r = 0; r < kSide; ++r) {
    for (std::int64_t c = 0; c < kSide; ++c) {
      double total = hn::GetLane(hn::SumOfLanes(kReal, sum[r][c]));
      for (std::int64_t k = i; k < size; ++k) {
        total += static_cast<double>(row[r][k]) * static_cast<double>(column[c][k]);
      }
      block.product[r][c] = total;
    }
  }
  return block;
}

NormOfTerms norm_of_terms_here(const float* left, std::int64_t inputs, const float* right,
                               std::int64_t outputs, std::int64_t terms) {
  NormOfTerms norm;
  for (std::int64_t t = 0; t < terms; t += kSide) {
    const std::int64_t rows = std::min(kSide, terms - t);
    for (std::int64_t u = 0; u <= t; u += kSide) {
      const Block l = inner_products(left, inputs, terms, t, u);
      const Block r = inner_products(right, outputs, terms, t, u);
      for (std::int64_t i = 0; i < rows; ++i) {
        // Pairs below the diagonal count twice, those above it not.
        for (std::int64_t j = 0; j < kSide && u + j <= t + i; ++j) {
          const double product = l.product[i][j] * r.product[i][j];
          const bool diagonal = u + j == t + i;
          norm.square += diagonal ? product : 2 * product;
          if (diagonal) norm.size += std::sqrt(product);
        }
      }
    }
  }
  return norm;
}

}  // namespace
}  // namespace sotto::fused::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto::fused {

HWY_EXPORT(norm_of_terms_here);

NormOfTerms norm_of_terms(const float* left, std::int64_t inputs, const float* right,
                          std::int64_t outputs, std::int64_t terms) {
  return HWY_DYNAMIC_DISPATCH(norm_of_terms_here)(left, inputs, right, outputs, terms);
}

}  // namespace sotto::fused
#endif
