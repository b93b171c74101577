// Linear. A sample's weight gradient is g ⊗ a, of norm ‖g‖‖a‖, and is never written out: the
// clipped sum over a batch is one product of matrices (ghost clipping, arXiv:2110.05679, for one
// time step).
#pragma once

#include <cstdint>
#include <vector>

#include "fused/layer.h"
#include "fused/matrix_kernels.h"

namespace sotto::fused {

// What the clipped sum needs: of all samples of a batch.
struct LinearBatch {
  const float* inputs = nullptr;     // (samples, inputs)
  const float* gradients = nullptr;  // (samples, outputs): of the layer's output
  std::int64_t samples = 0;
  // (samples); null: all 1. A sample of factor 0 is left out, whatever its values are.
  const double* weight_factors = nullptr;
  const double* bias_factors = nullptr;
};

// What exact sums need besides (see exact_sums.h).
struct ExactTerms {
  Chains chains;                // of the batch's samples
  double weights_per_unit = 1;  // 1 / unit of the parameter
  double biases_per_unit = 1;
};

class Linear : public Layer {
 public:
  Linear(std::int64_t inputs, std::int64_t outputs, const Place& place, const Parameter& weight,
         const Parameter& bias);

  void prepare(const ParameterValues& parameters) override;
  void forward(const Tile& tile) const override;
  void backward(const Tile& tile) const override;
  bool has_trained_parameter() const override { return weight_.wanted() || bias_.wanted(); }
  void fit(std::int64_t tile_samples) override;

  std::int64_t inputs() const { return inputs_; }
  std::int64_t outputs() const { return outputs_; }
  const Parameter& weight() const { return weight_; }
  const Parameter& bias() const { return bias_; }

  // The clipped sum in two passes, each cut into parts that any thread may do: first all parts of
  // scale_gradients(), then all of add_outer_products().
  std::int64_t scale_parts() const;
  // scaled: (scale_parts, samples, 12), gradients times their factors and `scale`.
  void scale_gradients(const LinearBatch& batch, std::int64_t part, double scale,
                       float* scaled) const;
  std::int64_t outer_parts(std::int64_t samples) const;
  // sum: (outputs, inputs). row: 0, 12, 24, ... for every sample. scratch: kPanelScratch floats.
  void add_outer_products(const LinearBatch& batch, const float* scaled, const std::int32_t* row,
                          std::int64_t part, bool add, float* scratch, float* sum) const;
  void add_bias_gradients(const LinearBatch& batch, bool add, float* sum) const;

  // The same in whole 1/256 units, with gradients scaled by weights_per_unit · 256.
  void add_outer_products(const LinearBatch& batch, const ExactTerms& exact, const float* scaled,
                          const std::int32_t* row, std::int64_t part, bool add, float* scratch,
                          double* sum) const;
  void add_bias_gradients(const LinearBatch& batch, const ExactTerms& exact, bool add,
                          double* sum) const;

  static constexpr std::int64_t kPanelScratch = std::int64_t{32} * 1024;

 private:
  void spread_gradient(const Tile& tile) const;
  void pack_inputs(std::int64_t start, std::int64_t count, std::int64_t begin, std::int64_t terms,
                   float* panels) const;
  std::int64_t part_inputs(std::int64_t samples) const;
  struct InputRange {
    std::int64_t begin;
    std::int64_t end;
  };
  InputRange inputs_of(const LinearBatch& batch, std::int64_t part) const;
  void pack_samples(const LinearBatch& batch, const InputRange& range, std::int64_t start,
                    std::int64_t samples, float* scratch) const;

  std::int64_t inputs_;
  std::int64_t outputs_;
  Parameter weight_;
  Parameter bias_;
  const float* weight_values_ = nullptr;
  const float* bias_values_ = nullptr;
  std::vector<std::int32_t> input_row_;
  std::vector<std::int32_t> output_row_;
  std::int32_t no_run_ = 0;
};

}  // namespace sotto::fused
