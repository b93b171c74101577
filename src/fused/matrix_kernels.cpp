#include "fused/matrix_kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fused/matrix_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sotto::fused::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::CappedTag<float, kPanel> kLanes;
using Vector = hn::Vec<decltype(kLanes)>;
constexpr std::int64_t kWidth = static_cast<std::int64_t>(hn::MaxLanes(kLanes));
constexpr std::int64_t kVectors = kPanel / kWidth;

template <int kRows>
struct Tile {
  Vector value[kRows][kVectors];

  HWY_INLINE void clear() {
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kVectors; ++v) value[r][v] = hn::Zero(kLanes);
    }
  }

  // value(r) += a(r) · b, where a(r) is a single number and b a panel's row.
  template <typename At>
  HWY_INLINE void add_product(const At& a, const float* HWY_RESTRICT b) {
    Vector panel[kVectors];
    for (int v = 0; v < kVectors; ++v) panel[v] = hn::LoadU(kLanes, b + v * kWidth);
    for (int r = 0; r < kRows; ++r) {
      const Vector factor = hn::Set(kLanes, a(r));
      for (int v = 0; v < kVectors; ++v) {
        value[r][v] = hn::MulAdd(factor, panel[v], value[r][v]);
      }
    }
  }

  HWY_INLINE void store(int r, float* out, std::int64_t columns, const float* bias, bool add) {
    if (columns == kPanel) return store_whole(r, out, bias, add);
    HWY_ALIGN float part[kPanel];
    for (int v = 0; v < kVectors; ++v) hn::Store(value[r][v], kLanes, part + v * kWidth);
    for (std::int64_t j = 0; j < columns; ++j) {
      out[j] = part[j] + (bias != nullptr ? bias[j] : 0.0F) + (add ? out[j] : 0.0F);
    }
  }

  HWY_INLINE void store_whole(int r, float* out, const float* bias, bool add) {
    for (int v = 0; v < kVectors; ++v) {
      Vector sum = value[r][v];
      if (bias != nullptr) sum = hn::Add(sum, hn::LoadU(kLanes, bias + v * kWidth));
      if (add) sum = hn::Add(sum, hn::LoadU(kLanes, out + v * kWidth));
      hn::StoreU(sum, kLanes, out + v * kWidth);
    }
  }
};

template <int kRows>
void gathered_block(const GatheredRows& a, std::int64_t first, const float* HWY_RESTRICT b,
                    std::int64_t columns, const ScatteredRows& out) {
  const float* row[kRows];
  for (int r = 0; r < kRows; ++r) row[r] = a.base + a.row[first + r];
  Tile<kRows> tile;
  tile.clear();
  for (std::int64_t s = 0; s < a.runs; ++s) {
    const std::int64_t run = a.run[s];
    for (std::int64_t k = run; k < run + a.length; ++k, b += kPanel) {
      tile.add_product([&](int r) { return row[r][k]; }, b);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    tile.store(r, out.base + out.row[first + r], columns, out.bias, out.add);
  }
}

template <int kRows>
HWY_INLINE Tile<kRows> outer_tile(const OuterSum& sum, std::int64_t first) {
  Tile<kRows> tile;
  tile.clear();
  const float* HWY_RESTRICT b = sum.b;
  for (std::int64_t p = 0; p < sum.terms; ++p, b += sum.b_stride) {
    const float* a = sum.a + sum.row[p] + first;
    tile.add_product([&](int r) { return a[r]; }, b);
  }
  return tile;
}

template <int kRows>
void outer_block(const OuterSum& sum, std::int64_t first, std::int64_t columns, float* out,
                 std::int64_t out_stride, bool add) {
  Tile<kRows> tile = outer_tile<kRows>(sum, first);
  for (int r = 0; r < kRows; ++r) {
    tile.store(r, out + (first + r) * out_stride, columns, nullptr, add);
  }
}

template <int kRows>
double outer_block_of_squares(const OuterSum& sum, std::int64_t first, std::int64_t columns) {
  Tile<kRows> tile = outer_tile<kRows>(sum, first);
  double total = 0;
  for (int r = 0; r < kRows; ++r) {
    if (columns == kPanel) {
      Vector squares = hn::Zero(kLanes);
      for (int v = 0; v < kVectors; ++v) {
        squares = hn::MulAdd(tile.value[r][v], tile.value[r][v], squares);
      }
      total += static_cast<double>(hn::GetLane(hn::SumOfLanes(kLanes, squares)));
    } else {
      HWY_ALIGN float row[kPanel];
      tile.store(r, row, kPanel, nullptr, false);
      for (std::int64_t j = 0; j < columns; ++j) total += static_cast<double>(row[j] * row[j]);
    }
  }
  return total;
}

// Cuts `count` rows into blocks of at most 6, as equal as can be: small blocks keep fewer sums in
// work than the processor could.
template <typename Block>
HWY_INLINE void in_blocks(std::int64_t count, const Block& block) {
  std::int64_t first = 0;
  for (std::int64_t left = (count + kBlock - 1) / kBlock; left > 0; --left) {
    const std::int64_t rows = (count - first + left - 1) / left;
    switch (rows) {
      case 6:
        block.template operator()<6>(first);
        break;
      case 5:
        block.template operator()<5>(first);
        break;
      case 4:
        block.template operator()<4>(first);
        break;
      case 3:
        block.template operator()<3>(first);
        break;
      case 2:
        block.template operator()<2>(first);
        break;
      default:
        block.template operator()<1>(first);
        break;
    }
    first += rows;
  }
}

void gathered_product_here(const GatheredRows& a, const float* b, std::int64_t columns,
                           const ScatteredRows& out) {
  in_blocks(a.rows, [&]<int kRows>(std::int64_t first) {
    gathered_block<kRows>(a, first, b, columns, out);
  });
}

void outer_sum_here(const OuterSum& sum, std::int64_t count, std::int64_t columns, float* out,
                    std::int64_t out_stride, bool add) {
  in_blocks(count, [&]<int kRows>(std::int64_t first) {
    outer_block<kRows>(sum, first, columns, out, out_stride, add);
  });
}

double outer_sum_of_squares_here(const OuterSum& sum, std::int64_t count, std::int64_t columns) {
  double total = 0;
  for (std::int64_t first_column = 0; first_column < columns; first_column += kPanel) {
    OuterSum panel = sum;
    panel.b += first_column;
    in_blocks(count, [&]<int kRows>(std::int64_t first) {
      total +=
          outer_block_of_squares<kRows>(panel, first, std::min(kPanel, columns - first_column));
    });
  }
  return total;
}

constexpr int kDotRows = 4;
constexpr int kDotOutputs = 3;
constexpr std::int64_t kDotBlock = 1024;  // of the inner dimension: x and w stay in cache

const hn::ScalableTag<float> kDotLanes;
using DotVector = hn::Vec<decltype(kDotLanes)>;

// out(n, o) += Σ_i x(n, i) w(o, i) over `inner` entries.
template <int kRows, int kOutputs>
void dot_block(const float* HWY_RESTRICT x, std::int64_t x_stride, const float* HWY_RESTRICT w,
               std::int64_t w_stride, std::int64_t inner, float* out, std::int64_t out_stride) {
  constexpr auto width = static_cast<std::int64_t>(hn::MaxLanes(kDotLanes));
  DotVector sum[kRows][kOutputs];
  for (int n = 0; n < kRows; ++n) {
    for (int o = 0; o < kOutputs; ++o) sum[n][o] = hn::Zero(kDotLanes);
  }
  std::int64_t i = 0;
  for (; i + width <= inner; i += width) {
    DotVector weight[kOutputs];
    for (int o = 0; o < kOutputs; ++o) weight[o] = hn::LoadU(kDotLanes, w + o * w_stride + i);
    for (int n = 0; n < kRows; ++n) {
      const DotVector value = hn::LoadU(kDotLanes, x + n * x_stride + i);
      for (int o = 0; o < kOutputs; ++o) sum[n][o] = hn::MulAdd(value, weight[o], sum[n][o]);
    }
  }
  for (int n = 0; n < kRows; ++n) {
    for (int o = 0; o < kOutputs; ++o) {
      float total = hn::GetLane(hn::SumOfLanes(kDotLanes, sum[n][o]));
      for (std::int64_t rest = i; rest < inner; ++rest) {
        total += x[n * x_stride + rest] * w[o * w_stride + rest];
      }
      out[n * out_stride + o] += total;
    }
  }
}

template <int kOutputs>
void dot_rows(const DotProducts& d, std::int64_t begin, std::int64_t inner, std::int64_t output,
              float* out, std::int64_t out_stride) {
  const float* w = d.w + output * d.inner + begin;
  std::int64_t n = 0;
  for (; n + kDotRows <= d.rows; n += kDotRows) {
    dot_block<kDotRows, kOutputs>(d.x + n * d.x_stride + begin, d.x_stride, w, d.inner, inner,
                                  out + n * out_stride + output, out_stride);
  }
  for (; n < d.rows; ++n) {
    dot_block<1, kOutputs>(d.x + n * d.x_stride + begin, d.x_stride, w, d.inner, inner,
                           out + n * out_stride + output, out_stride);
  }
}

void dot_products_here(const DotProducts& d, float* out, std::int64_t out_stride) {
  for (std::int64_t n = 0; n < d.rows; ++n) {
    for (std::int64_t o = 0; o < d.outputs; ++o) {
      out[n * out_stride + o] = d.bias != nullptr ? d.bias[o] : 0.0F;
    }
  }
  for (std::int64_t begin = 0; begin < d.inner; begin += kDotBlock) {
    const std::int64_t inner = std::min(kDotBlock, d.inner - begin);
    std::int64_t o = 0;
    for (; o + kDotOutputs <= d.outputs; o += kDotOutputs) {
      dot_rows<kDotOutputs>(d, begin, inner, o, out, out_stride);
    }
    for (; o < d.outputs; ++o) dot_rows<1>(d, begin, inner, o, out, out_stride);
  }
}

}  // namespace
}  // namespace sotto::fused::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto::fused {

HWY_EXPORT(gathered_product_here);
HWY_EXPORT(outer_sum_here);
HWY_EXPORT(outer_sum_of_squares_here);
HWY_EXPORT(dot_products_here);

void gathered_product(const GatheredRows& a, const float* b, std::int64_t columns,
                      const ScatteredRows& out) {
  HWY_DYNAMIC_DISPATCH(gathered_product_here)(a, b, columns, out);
}

void outer_sum(const OuterSum& sum, std::int64_t count, std::int64_t columns, float* out,
               std::int64_t out_stride, bool add) {
  HWY_DYNAMIC_DISPATCH(outer_sum_here)(sum, count, columns, out, out_stride, add);
}

double outer_sum_of_squares(const OuterSum& sum, std::int64_t count, std::int64_t columns) {
  return HWY_DYNAMIC_DISPATCH(outer_sum_of_squares_here)(sum, count, columns);
}

void dot_products(const DotProducts& dots, float* out, std::int64_t out_stride) {
  HWY_DYNAMIC_DISPATCH(dot_products_here)(dots, out, out_stride);
}

}  // namespace sotto::fused
#endif
