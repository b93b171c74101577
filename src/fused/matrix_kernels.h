// The products that all layers are made of, for whatever vector unit the machine has.
//
// Vectors run along the 16 columns of a panel. Buffers that are read in panels may be read up to
// kSlack floats past their last entry; nothing is written there.
#pragma once

#include <cstdint>

namespace sotto::fused {

constexpr std::int64_t kPanel = 16;  // columns that one kernel keeps in registers
constexpr std::int64_t kBlock = 12;  // rows, likewise at most
constexpr std::int64_t kSlack = 16;

// Rows that lie anywhere in memory, each made of equally long runs: entry s·length + k of row r is
// base[row[r] + run[s] + k]. A convolution reads its windows this way, without copying them.
struct GatheredRows {
  const float* base = nullptr;
  const std::int32_t* row = nullptr;  // (rows)
  std::int64_t rows = 0;
  const std::int32_t* run = nullptr;  // (runs)
  std::int64_t runs = 1;
  std::int64_t length = 0;
};

// Where a product's rows go: row r at base + row[r]. They are stored, plus bias if there is one, or
// added to what is there.
struct ScatteredRows {
  float* base = nullptr;
  const std::int32_t* row = nullptr;
  const float* bias = nullptr;  // (columns)
  bool add = false;
};

// out(r, j) = Σ_k a(r, k) b(k, j) for j < columns <= 16, with b at b[k·16 + j].
void gathered_product(const GatheredRows& a, const float* b, std::int64_t columns,
                      const ScatteredRows& out);

// panel[k·16 + j] = w[j·stride + k] for j < columns <= 16, k < terms; zero for the other j.
void transpose_to_panel(const float* w, std::int64_t stride, std::int64_t columns,
                        std::int64_t terms, float* panel);

// A sum of outer products: out(i, j) (+)= Σ_p a[row[p] + i] b[p·b_stride + j], i < count, j <
// columns <= 16, with out(i, j) at out[i·out_stride + j].
struct OuterSum {
  const float* a = nullptr;
  const std::int32_t* row = nullptr;  // (terms)
  const float* b = nullptr;
  std::int64_t b_stride = 0;
  std::int64_t terms = 0;
};
void outer_sum(const OuterSum& sum, std::int64_t count, std::int64_t columns, float* out,
               std::int64_t out_stride, bool add);

// The same in chains: terms 0, ..., ends[0] - 1, then those up to ends[1] - 1, and so on, chains >
// 0 of them. The sum over a chain, in float, is rounded to a whole number and multiplied by
// `scale`, a power of two; these are added up in double.
struct Chains {
  const std::int64_t* ends = nullptr;
  std::int64_t count = 0;
};
void outer_sum_in_chains(const OuterSum& sum, const Chains& chains, double scale,
                         std::int64_t count, std::int64_t columns, double* out,
                         std::int64_t out_stride, bool add);

// out(i, j) += factor · (such a sum), cut off to whole numbers, each below 2^31 in magnitude.
void outer_sum_cut_off(const OuterSum& sum, std::int64_t count, std::int64_t columns, float factor,
                       std::int32_t* out, std::int64_t out_stride);

// The sum of the squares of all entries (i, j) of such a sum, i < count, j < columns (any number),
// which is never stored. panel: terms · 16 floats of scratch.
double outer_sum_of_squares(const OuterSum& sum, std::int64_t count, std::int64_t columns,
                            float* panel);

}  // namespace sotto::fused
