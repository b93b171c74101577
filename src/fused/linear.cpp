#include "fused/linear.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "fused/exact_sums.h"
#include "fused/matrix_kernels.h"
#include "fused/vector_kernels.h"

namespace sotto::fused {
namespace {

constexpr std::int64_t kSampleBlock = 512;  // samples whose products are summed in registers
constexpr std::int64_t kInnerBlock = 512;   // terms of a product at once: a panel fits in cache
constexpr std::int64_t kPanelsAtOnce = Linear::kPanelScratch / (kInnerBlock * kPanel);
constexpr std::int64_t kRowsAtOnce = 96;  // samples that stay in cache while panels go by

std::int64_t divided_up(std::int64_t count, std::int64_t by) { return (count + by - 1) / by; }

// In nearly all cases a constant number of floats, for which the compiler calls no function.
void copy_to_panel(const float* from, std::int64_t columns, float* to) {
  if (columns == kPanel) {
    std::memcpy(to, from, kPanel * sizeof(float));
  } else {
    std::copy_n(from, columns, to);
  }
}

// Rows times (panel, terms, 16), for `count` columns in all.
void multiply_panels(const GatheredRows& rows, const float* panels, std::int64_t count,
                     const ScatteredRows& out) {
  for (std::int64_t row = 0; row < rows.rows; row += kRowsAtOnce) {
    GatheredRows some = rows;
    some.row += row;
    some.rows = std::min(kRowsAtOnce, rows.rows - row);
    for (std::int64_t first = 0; first < count; first += kPanel) {
      gathered_product(some, panels + first * rows.length, std::min(kPanel, count - first),
                       {out.base + first, out.row + row,
                        out.bias == nullptr ? nullptr : out.bias + first, out.add});
    }
  }
}

}  // namespace

Linear::Linear(std::int64_t inputs, std::int64_t outputs, const Place& place,
               const Parameter& weight, const Parameter& bias)
    : Layer(place), inputs_(inputs), outputs_(outputs), weight_(weight), bias_(bias) {}

void Linear::fit(std::int64_t tile_samples) {
  input_row_.clear();
  output_row_.clear();
  for (std::int64_t n = 0; n < tile_samples; ++n) {
    input_row_.push_back(static_cast<std::int32_t>(n * inputs_));
    output_row_.push_back(static_cast<std::int32_t>(n * outputs_));
  }
}

void Linear::prepare(const ParameterValues& parameters) {
  weight_values_ = values_of(weight_, parameters);
  bias_values_ = values_of(bias_, parameters);
}

// The weight is turned round piece by piece, each used at once by all samples while it is in cache.
void Linear::forward(const Tile& tile) const {
  constexpr std::int64_t kOutputs = kPanelsAtOnce * kPanel;
  for (std::int64_t begin = 0; begin < inputs_; begin += kInnerBlock) {
    const std::int64_t terms = std::min(kInnerBlock, inputs_ - begin);
    const GatheredRows rows{
        input(tile) + begin, input_row_.data(), tile.samples, &no_run_, 1, terms};
    for (std::int64_t start = 0; start < outputs_; start += kOutputs) {
      const std::int64_t count = std::min(kOutputs, outputs_ - start);
      for (std::int64_t first = 0; first < count; first += kPanel) {
        transpose_to_panel(weight_values_ + (start + first) * inputs_ + begin, inputs_,
                           std::min(kPanel, count - first), terms, tile.panels + first * terms);
      }
      const float* bias = begin == 0 && bias_values_ != nullptr ? bias_values_ + start : nullptr;
      multiply_panels(rows, tile.panels, count,
                      {output(tile) + start, output_row_.data(), bias, begin > 0});
    }
  }
}

void Linear::backward(const Tile& tile) const {
  if (tile.is_private() && has_trained_parameter()) {
    for (std::int64_t n = 0; n < tile.samples; ++n) {
      double g = sum_of_squares(output_gradient(tile) + n * outputs_, outputs_);
      if (!(g <= kLargestSquare)) g = std::numeric_limits<double>::infinity();
      if (bias_.wanted()) tile.add_squared_norm(bias_.number, n, g);
      if (!weight_.wanted()) continue;
      const double a = sum_of_squares(input(tile) + n * inputs_, inputs_);
      tile.add_squared_norm(weight_.number, n, g * a);  // not a number is left out too
    }
  }
  if (place().wants_input_gradient) spread_gradient(tile);
}

// As forward(), with outputs as the terms.
void Linear::spread_gradient(const Tile& tile) const {
  constexpr std::int64_t kInputs = kPanelsAtOnce * kPanel;
  for (std::int64_t begin = 0; begin < outputs_; begin += kInnerBlock) {
    const std::int64_t terms = std::min(kInnerBlock, outputs_ - begin);
    const GatheredRows rows{
        output_gradient(tile) + begin, output_row_.data(), tile.samples, &no_run_, 1, terms};
    for (std::int64_t start = 0; start < inputs_; start += kInputs) {
      const std::int64_t count = std::min(kInputs, inputs_ - start);
      pack_inputs(start, count, begin, terms, tile.panels);
      multiply_panels(rows, tile.panels, count,
                      {input_gradient(tile) + start, input_row_.data(), nullptr, begin > 0});
    }
  }
}

// Inputs from `start` on of the weight's rows from `begin` on: (panel of inputs, terms, 16).
void Linear::pack_inputs(std::int64_t start, std::int64_t count, std::int64_t begin,
                         std::int64_t terms, float* panels) const {
  for (std::int64_t term = 0; term < terms; ++term) {
    const float* from = weight_values_ + (begin + term) * inputs_ + start;
    for (std::int64_t first = 0; first < count; first += kPanel) {
      copy_to_panel(from + first, std::min(kPanel, count - first),
                    panels + first * terms + term * kPanel);
    }
  }
}

std::int64_t Linear::scale_parts() const { return divided_up(outputs_, kBlock); }

void Linear::scale_gradients(const LinearBatch& batch, std::int64_t part, double scale,
                             float* scaled) const {
  const std::int64_t first = part * kBlock;
  const std::int64_t count = std::min(kBlock, outputs_ - first);
  scaled += part * batch.samples * kBlock;
  for (std::int64_t n = 0; n < batch.samples; ++n, scaled += kBlock) {
    const auto factor = static_cast<float>(
        batch.weight_factors == nullptr ? scale : batch.weight_factors[n] * scale);
    const float* g = batch.gradients + n * outputs_ + first;
    for (std::int64_t r = 0; r < count; ++r) scaled[r] = factor == 0 ? 0.0F : factor * g[r];
  }
}

// As many inputs as leave room in the scratch for a block of samples.
std::int64_t Linear::part_inputs(std::int64_t samples) const {
  return kPanelScratch / std::clamp<std::int64_t>(samples, 8, kSampleBlock) / kPanel * kPanel;
}

std::int64_t Linear::outer_parts(std::int64_t samples) const {
  return divided_up(inputs_, part_inputs(samples));
}

Linear::InputRange Linear::inputs_of(const LinearBatch& batch, std::int64_t part) const {
  const std::int64_t begin = part * part_inputs(batch.samples);
  return {begin, std::min(inputs_, begin + part_inputs(batch.samples))};
}

// scratch: (panel of inputs, samples, 16).
void Linear::pack_samples(const LinearBatch& batch, const InputRange& range, std::int64_t start,
                          std::int64_t samples, float* scratch) const {
  for (std::int64_t n = 0; n < samples; ++n) {
    const float* from = batch.inputs + (start + n) * inputs_;
    const bool left_out = batch.weight_factors != nullptr && batch.weight_factors[start + n] == 0;
    for (std::int64_t first = range.begin; first < range.end; first += kPanel) {
      float* to = scratch + (first - range.begin) * samples + n * kPanel;
      if (left_out) {
        std::fill_n(to, kPanel, 0.0F);
      } else {
        copy_to_panel(from + first, std::min(kPanel, inputs_ - first), to);
      }
    }
  }
}

void Linear::add_outer_products(const LinearBatch& batch, const float* scaled,
                                const std::int32_t* row, std::int64_t part, bool add,
                                float* scratch, float* sum) const {
  const InputRange range = inputs_of(batch, part);
  if (batch.samples == 0 && !add) {
    for (std::int64_t o = 0; o < outputs_; ++o)
      std::fill_n(sum + o * inputs_ + range.begin, range.end - range.begin, 0.0F);
  }
  for (std::int64_t start = 0; start < batch.samples; start += kSampleBlock) {
    const std::int64_t samples = std::min(kSampleBlock, batch.samples - start);
    pack_samples(batch, range, start, samples, scratch);
    for (std::int64_t o = 0; o < outputs_; o += kBlock) {
      const float* g = scaled + o * batch.samples + start * kBlock;
      for (std::int64_t first = range.begin; first < range.end; first += kPanel) {
        outer_sum({g, row, scratch + (first - range.begin) * samples, kPanel, samples},
                  std::min(kBlock, outputs_ - o), std::min(kPanel, inputs_ - first),
                  sum + o * inputs_ + first, inputs_, add || start > 0);
      }
    }
  }
}

void Linear::add_outer_products(const LinearBatch& batch, const ExactTerms& exact,
                                const float* scaled, const std::int32_t* row, std::int64_t part,
                                bool add, float* scratch, double* sum) const {
  const InputRange range = inputs_of(batch, part);
  if (batch.samples == 0 && !add) {
    for (std::int64_t o = 0; o < outputs_; ++o)
      std::fill_n(sum + o * inputs_ + range.begin, range.end - range.begin, 0.0);
  }
  constexpr double kScale = 1 / static_cast<double>(kChainParts);
  std::int64_t ends[kSampleBlock];  // of the chains in a block of samples, from its start
  std::int64_t chain = 0;
  for (std::int64_t start = 0; start < batch.samples;) {
    std::int64_t chains = 0;
    for (; chain < exact.chains.count && exact.chains.ends[chain] <= start + kSampleBlock;
         ++chain) {
      ends[chains++] = exact.chains.ends[chain] - start;
    }
    const std::int64_t samples = ends[chains - 1];
    pack_samples(batch, range, start, samples, scratch);
    for (std::int64_t o = 0; o < outputs_; o += kBlock) {
      const float* g = scaled + o * batch.samples + start * kBlock;
      for (std::int64_t first = range.begin; first < range.end; first += kPanel) {
        outer_sum_in_chains({g, row, scratch + (first - range.begin) * samples, kPanel, samples},
                            {ends, chains}, kScale, std::min(kBlock, outputs_ - o),
                            std::min(kPanel, inputs_ - first), sum + o * inputs_ + first, inputs_,
                            add || start > 0);
      }
    }
    start += samples;
  }
}

void Linear::add_bias_gradients(const LinearBatch& batch, bool add, float* sum) const {
  if (!add) std::fill_n(sum, outputs_, 0.0F);
  for (std::int64_t n = 0; n < batch.samples; ++n) {
    const auto factor =
        batch.bias_factors == nullptr ? 1.0F : static_cast<float>(batch.bias_factors[n]);
    if (factor != 0) add_scaled(batch.gradients + n * outputs_, outputs_, factor, sum);
  }
}

void Linear::add_bias_gradients(const LinearBatch& batch, const ExactTerms& exact, bool add,
                                double* sum) const {
  if (!add) std::fill_n(sum, outputs_, 0.0);
  for (std::int64_t n = 0; n < batch.samples; ++n) {
    const auto factor = static_cast<float>(batch.bias_factors[n] * exact.biases_per_unit);
    if (factor == 0) continue;
    const float* g = batch.gradients + n * outputs_;
    for (std::int64_t o = 0; o < outputs_; ++o) {
      sum[o] += static_cast<double>(static_cast<std::int32_t>(factor * g[o]));
    }
  }
}

}  // namespace sotto::fused
