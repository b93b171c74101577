// GroupNorm and LayerNorm: a sample's own channels, in groups, to mean 0 and variance 1.
#pragma once

#include <cstdint>
#include <vector>

#include "fused/layer.h"
#include "fused/normalisation_kernels.h"

namespace sotto::fused {

// LayerNorm is one group with a scale for every value: one pixel, whose channels are all values.
struct NormalisationOptions {
  Channels size;
  std::int64_t groups = 1;
  double epsilon = 1e-5;
  // Where channel c's scale is in the model's parameter; empty: at c.
  std::vector<std::int32_t> parameter_index = {};
};

class Normalisation : public Layer {
 public:
  Normalisation(NormalisationOptions options, const Place& place, const Parameter& scale,
                const Parameter& shift);

  void prepare(const ParameterValues& parameters) override;
  void forward(const Tile& tile) const override;
  void backward(const Tile& tile) const override;
  std::int64_t kept_size() const override { return 2 * options_.size.channels; }
  std::int64_t scratch_size() const override { return 5 * options_.size.channels; }
  std::vector<WrittenGradient> written_gradients() const override;
  void add_to_parameter(int parameter, const float* sum, float* out) const override;
  void add_to_parameter(int parameter, const std::int32_t* sum, double* out) const override;

 private:
  std::int64_t channels() const { return options_.size.channels; }
  std::int64_t sample_size() const { return options_.size.pixels * options_.size.channels; }
  std::int64_t model_index(std::int64_t channel) const;
  std::vector<float> by_channel(const float* values, float without) const;
  void group_means(const float* channel_sums, float* means) const;
  void parameter_gradients(const Tile& tile, std::int64_t n, const float* scale,
                           const float* shift) const;

  NormalisationOptions options_;
  Parameter scale_;
  Parameter shift_;
  std::vector<float> scale_values_;  // (channels)
  std::vector<float> shift_values_;
};

}  // namespace sotto::fused
