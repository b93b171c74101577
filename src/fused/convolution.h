// Conv2d: windows are read where they lie, so that nothing is unfolded.
#pragma once

#include <cstdint>
#include <vector>

#include "fused/layer.h"
#include "fused/shape.h"

namespace sotto::fused {

struct ConvolutionOptions {
  Shape input;
  std::int64_t outputs = 0;  // channels
  std::int64_t kernel[2] = {1, 1};
  std::int64_t stride[2] = {1, 1};
  std::int64_t padding[2] = {0, 0};
  std::int64_t dilation[2] = {1, 1};
  std::int64_t groups = 1;

  Shape output() const;
};

class Convolution : public Layer {
 public:
  Convolution(const ConvolutionOptions& options, const Place& place, const Parameter& weight,
              const Parameter& bias);

  void fit(std::int64_t tile_samples) override;
  void prepare(const ParameterValues& parameters) override;
  void forward(const Tile& tile) const override;
  void backward(const Tile& tile) const override;
  std::int64_t scratch_size() const override;
  std::vector<WrittenGradient> written_gradients() const override;
  void add_to_parameter(int parameter, const float* sum, float* out) const override;
  void add_to_parameter(int parameter, const std::int32_t* sum, double* out) const override;

 private:
  bool padded() const { return options_.padding[0] > 0 || options_.padding[1] > 0; }
  const float* windows(const Tile& tile) const;
  std::int64_t group_inputs() const { return options_.input.channels / options_.groups; }
  std::int64_t group_outputs() const { return options_.outputs / options_.groups; }
  std::int64_t taps() const { return static_cast<std::int64_t>(run_.size()) * run_length_; }
  std::int64_t weight_size() const { return options_.groups * taps() * group_outputs(); }
  std::int64_t model_index(std::int64_t group, std::int64_t tap, std::int64_t output) const;
  void pack_forward(const float* weight);
  void pack_backward(const float* weight);
  void weight_gradients(const Tile& tile, const float* from) const;
  void weight_gradient(const float* from, const float* gradient, std::int64_t first_row,
                       std::int64_t rows, float* out, bool add) const;
  void bias_gradients(const Tile& tile) const;
  void spread_gradient(const Tile& tile) const;
  template <typename From, typename To>
  void add_in_model_order(int parameter, const From* sum, To* out) const;

  ConvolutionOptions options_;
  Parameter weight_;
  Parameter bias_;
  Shape output_;
  Shape padded_shape_;
  std::int64_t run_length_ = 0;        // floats that lie together in a window
  std::vector<std::int32_t> run_;      // where a window's runs start
  std::vector<std::int32_t> row_;      // where the window of an output pixel starts; whole tile
  std::vector<std::int32_t> out_row_;  // where an output pixel is; whole tile
  std::int32_t no_run_ = 0;
  std::vector<float> forward_panels_;   // (group, panel of outputs, tap, 16)
  std::vector<float> backward_panels_;  // (group, run, panel of the run, output, 16)
  const float* bias_values_ = nullptr;
};

}  // namespace sotto::fused
