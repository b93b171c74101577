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

// Four rows of four floats, turned round.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void transpose_four(const float* w, std::int64_t stride, float* panel) {
  for (std::int64_t k = 0; k < 4; ++k) {
    for (std::int64_t j = 0; j < 4; ++j) panel[k * kPanel + j] = w[j * stride + k];
  }
}
#else
HWY_INLINE void transpose_four(const float* HWY_RESTRICT w, std::int64_t stride,
                               float* HWY_RESTRICT panel) {
  const hn::FixedTag<float, 4> lanes;
  const hn::Repartition<double, decltype(lanes)> pairs;
  const auto r0 = hn::LoadU(lanes, w);
  const auto r1 = hn::LoadU(lanes, w + stride);
  const auto r2 = hn::LoadU(lanes, w + 2 * stride);
  const auto r3 = hn::LoadU(lanes, w + 3 * stride);
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(lanes, r0, r1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(lanes, r2, r3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(lanes, r0, r1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(lanes, r2, r3));
  const auto store = [&](auto column, std::int64_t k) {
    hn::StoreU(hn::BitCast(lanes, column), lanes, panel + k * kPanel);
  };
  store(hn::InterleaveLower(pairs, low01, low23), 0);
  store(hn::InterleaveUpper(pairs, low01, low23), 1);
  store(hn::InterleaveLower(pairs, high01, high23), 2);
  store(hn::InterleaveUpper(pairs, high01, high23), 3);
}
#endif

// Four rows for a while, then the next four: rows that lie a power of two apart share their place
// in the cache, which has room for few of them.
void transpose_to_panel_here(const float* w, std::int64_t stride, std::int64_t columns,
                             std::int64_t terms, float* panel) {
  constexpr std::int64_t kWhile = 64;
  const std::int64_t whole = columns == kPanel ? terms / 4 * 4 : 0;
  for (std::int64_t begin = 0; begin < whole; begin += kWhile) {
    const std::int64_t end = std::min(whole, begin + kWhile);
    for (std::int64_t j = 0; j < kPanel; j += 4) {
      for (std::int64_t k = begin; k < end; k += 4) {
        transpose_four(w + j * stride + k, stride, panel + k * kPanel + j);
      }
    }
  }
  for (std::int64_t k = whole; k < terms; ++k) {
    for (std::int64_t j = 0; j < kPanel; ++j) {
      panel[k * kPanel + j] = j < columns ? w[j * stride + k] : 0.0F;
    }
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

// Rows of a tile, stored and then taken to other types by plain loops.
template <int kRows>
HWY_INLINE void store_tile(const Tile<kRows>& tile, float (*part)[kPanel]) {
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) hn::Store(tile.value[r][v], kLanes, part[r] + v * kWidth);
  }
}

template <int kRows>
void chained_block(const OuterSum& sum, const Chains& chains, double scale, std::int64_t first,
                   std::int64_t columns, double* HWY_RESTRICT out, std::int64_t out_stride,
                   bool add) {
  HWY_ALIGN float part[kRows][kPanel];
  OuterSum chain = sum;
  std::int64_t begin = 0;
  for (std::int64_t c = 0; c < chains.count; begin = chains.ends[c++]) {
    chain.row = sum.row + begin;
    chain.b = sum.b + begin * sum.b_stride;
    chain.terms = chains.ends[c] - begin;
    Tile<kRows> tile = outer_tile<kRows>(chain, first);
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kVectors; ++v) tile.value[r][v] = hn::Round(tile.value[r][v]);
    }
    store_tile<kRows>(tile, part);
    const bool adds = add || c > 0;
    for (int r = 0; r < kRows; ++r) {
      double* HWY_RESTRICT to = out + (first + r) * out_stride;
      if (columns == kPanel && adds) {
        for (std::int64_t j = 0; j < kPanel; ++j) to[j] += static_cast<double>(part[r][j]) * scale;
      } else if (columns == kPanel) {
        for (std::int64_t j = 0; j < kPanel; ++j) to[j] = static_cast<double>(part[r][j]) * scale;
      } else {
        for (std::int64_t j = 0; j < columns; ++j) {
          to[j] = (adds ? to[j] : 0) + static_cast<double>(part[r][j]) * scale;
        }
      }
    }
  }
}

template <int kRows>
void cut_off_block(const OuterSum& sum, std::int64_t first, std::int64_t columns, float factor,
                   std::int32_t* HWY_RESTRICT out, std::int64_t out_stride) {
  HWY_ALIGN float part[kRows][kPanel];
  store_tile<kRows>(outer_tile<kRows>(sum, first), part);
  for (int r = 0; r < kRows; ++r) {
    std::int32_t* HWY_RESTRICT to = out + (first + r) * out_stride;
    if (columns == kPanel) {
      for (std::int64_t j = 0; j < kPanel; ++j) {
        to[j] += static_cast<std::int32_t>(factor * part[r][j]);
      }
      continue;
    }
    for (std::int64_t j = 0; j < columns; ++j) {
      to[j] += static_cast<std::int32_t>(factor * part[r][j]);
    }
  }
}

template <int kRows>
double outer_block_of_squares(const OuterSum& sum, std::int64_t first) {
  const Tile<kRows> tile = outer_tile<kRows>(sum, first);
  Vector squares = hn::Zero(kLanes);
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      squares = hn::MulAdd(tile.value[r][v], tile.value[r][v], squares);
    }
  }
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(kLanes, squares)));
}

// As many rows as leave sums enough to hide how long a multiplication takes, and fit into
// registers: of 32, where a panel is one vector, or of 16.
constexpr int kRowsAtMost = kVectors == 1 ? 12 : 6;
static_assert(kRowsAtMost <= kBlock);

template <int kRows, typename Block>
HWY_INLINE void block_of(std::int64_t rows, std::int64_t first, const Block& block) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return block_of<kRows - 1>(rows, first, block);
  }
  block.template operator()<kRows>(first);
}

// Cuts `count` rows into blocks of at most kRowsAtMost, as equal as can be: small blocks keep fewer
// sums in work than the processor could.
template <typename Block>
HWY_INLINE void in_blocks(std::int64_t count, const Block& block) {
  std::int64_t first = 0;
  for (std::int64_t left = (count + kRowsAtMost - 1) / kRowsAtMost; left > 0; --left) {
    const std::int64_t rows = (count - first + left - 1) / left;
    block_of<kRowsAtMost>(rows, first, block);
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

void outer_sum_in_chains_here(const OuterSum& sum, const Chains& chains, double scale,
                              std::int64_t count, std::int64_t columns, double* out,
                              std::int64_t out_stride, bool add) {
  in_blocks(count, [&]<int kRows>(std::int64_t first) {
    chained_block<kRows>(sum, chains, scale, first, columns, out, out_stride, add);
  });
}

void outer_sum_cut_off_here(const OuterSum& sum, std::int64_t count, std::int64_t columns,
                            float factor, std::int32_t* out, std::int64_t out_stride) {
  in_blocks(count, [&]<int kRows>(std::int64_t first) {
    cut_off_block<kRows>(sum, first, columns, factor, out, out_stride);
  });
}

// The panel that all blocks of rows read lies together: rows of b that are a power of two apart
// would share their place in the cache.
double outer_sum_of_squares_here(const OuterSum& sum, std::int64_t count, std::int64_t columns,
                                 float* panel) {
  const OuterSum packed{sum.a, sum.row, panel, kPanel, sum.terms};
  double total = 0;
  for (std::int64_t first_column = 0; first_column < columns; first_column += kPanel) {
    const std::int64_t width = std::min(kPanel, columns - first_column);
    for (std::int64_t p = 0; p < sum.terms; ++p) {
      const float* from = sum.b + p * sum.b_stride + first_column;
      for (std::int64_t j = 0; j < kPanel; ++j) {
        panel[p * kPanel + j] = j < width ? from[j] : 0.0F;
      }
    }
    in_blocks(count, [&]<int kRows>(std::int64_t first) {
      total += outer_block_of_squares<kRows>(packed, first);
    });
  }
  return total;
}

}  // namespace
}  // namespace sotto::fused::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto::fused {

HWY_EXPORT(gathered_product_here);
HWY_EXPORT(transpose_to_panel_here);
HWY_EXPORT(outer_sum_here);
HWY_EXPORT(outer_sum_in_chains_here);
HWY_EXPORT(outer_sum_cut_off_here);
HWY_EXPORT(outer_sum_of_squares_here);

void gathered_product(const GatheredRows& a, const float* b, std::int64_t columns,
                      const ScatteredRows& out) {
  HWY_DYNAMIC_DISPATCH(gathered_product_here)(a, b, columns, out);
}

void transpose_to_panel(const float* w, std::int64_t stride, std::int64_t columns,
                        std::int64_t terms, float* panel) {
  HWY_DYNAMIC_DISPATCH(transpose_to_panel_here)(w, stride, columns, terms, panel);
}

void outer_sum(const OuterSum& sum, std::int64_t count, std::int64_t columns, float* out,
               std::int64_t out_stride, bool add) {
  HWY_DYNAMIC_DISPATCH(outer_sum_here)(sum, count, columns, out, out_stride, add);
}

void outer_sum_in_chains(const OuterSum& sum, const Chains& chains, double scale,
                         std::int64_t count, std::int64_t columns, double* out,
                         std::int64_t out_stride, bool add) {
  HWY_DYNAMIC_DISPATCH(outer_sum_in_chains_here)
  (sum, chains, scale, count, columns, out, out_stride, add);
}

void outer_sum_cut_off(const OuterSum& sum, std::int64_t count, std::int64_t columns, float factor,
                       std::int32_t* out, std::int64_t out_stride) {
  HWY_DYNAMIC_DISPATCH(outer_sum_cut_off_here)(sum, count, columns, factor, out, out_stride);
}

double outer_sum_of_squares(const OuterSum& sum, std::int64_t count, std::int64_t columns,
                            float* panel) {
  return HWY_DYNAMIC_DISPATCH(outer_sum_of_squares_here)(sum, count, columns, panel);
}

}  // namespace sotto::fused
#endif
