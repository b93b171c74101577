#include "fused/linear.h"

#include <algorithm>

#include "fused/matrix_kernels.h"
#include "fused/vector_kernels.h"

namespace sotto::fused {
namespace {

constexpr std::int64_t kSampleBlock = 256;  // samples whose products are summed in registers

std::int64_t divided_up(std::int64_t count, std::int64_t by) { return (count + by - 1) / by; }

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
  if (!place().wants_input_gradient) return;
  panels_.resize(static_cast<std::size_t>(divided_up(inputs_, kPanel) * outputs_ * kPanel));
  for (std::int64_t o = 0; o < outputs_; ++o) {
    for (std::int64_t first = 0; first < inputs_; first += kPanel) {
      std::copy_n(weight_values_ + o * inputs_ + first, std::min(kPanel, inputs_ - first),
                  panels_.data() + first * outputs_ + o * kPanel);
    }
  }
}

void Linear::forward(const Tile& tile) const {
  dot_products(
      {input(tile), inputs_, tile.samples, weight_values_, outputs_, inputs_, bias_values_},
      output(tile), outputs_);
}

void Linear::backward(const Tile& tile) const {
  if (tile.is_private() && has_trained_parameter()) {
    for (std::int64_t n = 0; n < tile.samples; ++n) {
      const double g = sum_of_squares(output_gradient(tile) + n * outputs_, outputs_);
      if (bias_.wanted()) tile.add_squared_norm(bias_.number, n, g);
      if (!weight_.wanted()) continue;
      const double a = sum_of_squares(input(tile) + n * inputs_, inputs_);
      tile.add_squared_norm(weight_.number, n, g * a);
    }
  }
  if (place().wants_input_gradient) spread_gradient(tile);
}

void Linear::spread_gradient(const Tile& tile) const {
  const GatheredRows rows{
      output_gradient(tile), output_row_.data(), tile.samples, &no_run_, 1, outputs_};
  for (std::int64_t first = 0; first < inputs_; first += kPanel) {
    gathered_product(rows, panels_.data() + first * outputs_, std::min(kPanel, inputs_ - first),
                     {input_gradient(tile) + first, input_row_.data(), nullptr, false});
  }
}

std::int64_t Linear::scale_parts() const { return divided_up(outputs_, kBlock); }

void Linear::scale_gradients(const LinearBatch& batch, std::int64_t part, float* scaled) const {
  const std::int64_t first = part * kBlock;
  const std::int64_t count = std::min(kBlock, outputs_ - first);
  scaled += part * batch.samples * kBlock;
  for (std::int64_t n = 0; n < batch.samples; ++n, scaled += kBlock) {
    const auto factor =
        batch.weight_factors == nullptr ? 1.0F : static_cast<float>(batch.weight_factors[n]);
    const float* g = batch.gradients + n * outputs_ + first;
    for (std::int64_t r = 0; r < count; ++r) scaled[r] = factor == 0 ? 0.0F : factor * g[r];
  }
}

// As many inputs as leave room in the scratch for a block of samples.
std::int64_t Linear::part_inputs(std::int64_t samples) const {
  return kOuterScratch / std::clamp<std::int64_t>(samples, 8, kSampleBlock) / kPanel * kPanel;
}

std::int64_t Linear::outer_parts(std::int64_t samples) const {
  return divided_up(inputs_, part_inputs(samples));
}

void Linear::add_outer_products(const LinearBatch& batch, const float* scaled,
                                const std::int32_t* row, std::int64_t part, bool add,
                                float* scratch, float* sum) const {
  const std::int64_t begin = part * part_inputs(batch.samples);
  const std::int64_t end = std::min(inputs_, begin + part_inputs(batch.samples));
  if (batch.samples == 0 && !add) {
    for (std::int64_t o = 0; o < outputs_; ++o)
      std::fill_n(sum + o * inputs_ + begin, end - begin, 0.0F);
  }
  for (std::int64_t start = 0; start < batch.samples; start += kSampleBlock) {
    const std::int64_t samples = std::min(kSampleBlock, batch.samples - start);
    for (std::int64_t n = 0; n < samples; ++n) {
      const float* from = batch.inputs + (start + n) * inputs_;
      const bool left_out = batch.weight_factors != nullptr && batch.weight_factors[start + n] == 0;
      for (std::int64_t first = begin; first < end; first += kPanel) {
        float* to = scratch + (first - begin) * samples + n * kPanel;
        if (left_out) {
          std::fill_n(to, kPanel, 0.0F);
        } else {
          std::copy_n(from + first, std::min(kPanel, inputs_ - first), to);
        }
      }
    }
    for (std::int64_t o = 0; o < outputs_; o += kBlock) {
      const float* g = scaled + o * batch.samples + start * kBlock;
      for (std::int64_t first = begin; first < end; first += kPanel) {
        outer_sum({g, row, scratch + (first - begin) * samples, kPanel, samples},
                  std::min(kBlock, outputs_ - o), std::min(kPanel, inputs_ - first),
                  sum + o * inputs_ + first, inputs_, add || start > 0);
      }
    }
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

}  // namespace sotto::fused
