// The fast way to clipped gradients on the CPU, for models made of common layers.
//
// A Sequential of such layers is compiled once. A step then runs a few samples at a time from the
// input to the loss and back on one core, and adds every sample's clipped gradient to the sum while
// it is still in cache. Anything else takes PerSampleGradients, which knows all of LibTorch.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/modules/container/sequential.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sotto/grad/exact_sums.h"
#include "sotto/grad/per_sample_gradients.h"

namespace sotto::grad {

enum class FusedLoss : std::uint8_t {
  kCrossEntropy,  // labels (N), int64
  kHinge,         // multi_margin_loss; labels
  kMeanSquares,   // mean over outputs; targets (N, outputs), float
};

struct FusedModelOptions {
  std::vector<std::int64_t> sample_shape;  // {columns} or {channels, height, width}
  FusedLoss loss = FusedLoss::kCrossEntropy;
  // The trained ones, all the model's. Empty: all that require a gradient.
  std::vector<NamedParameter> parameters = {};
  int threads = 0;  // 0: as many as LibTorch uses
};

// Samples: all rows of `inputs` and `targets`, or those that `records` names.
struct FusedBatch {
  at::Tensor inputs;        // (M, *sample_shape), float, contiguous
  at::Tensor targets;       // (M) or (M, outputs)
  at::Tensor records = {};  // (N), int64; not defined: all M in order
};

// From the squared norms of `samples` samples, (parameters, stride), to their factors, in the same
// layout. Must be safe to call from several threads at once.
using FusedClip = std::function<void(const double* squared_norms, std::int64_t stride,
                                     std::int64_t samples, double* factors)>;

struct FusedGradients {
  at::Tensor losses;         // (N), float
  at::Tensor squared_norms;  // (parameters, N), double; not defined without clipping
};

class FusedModel;

// Either a model or the reason why there is none.
struct CompiledModel {
  std::unique_ptr<FusedModel> model;
  std::string reason;  // names the layer that has no fused kernel, and says why; else empty
};

class FusedModel {
 public:
  // Shares the modules of the model, which may go out of scope; layers added later are not seen.
  static CompiledModel compile(const torch::nn::Sequential& model,
                               const FusedModelOptions& options);
  ~FusedModel();
  FusedModel(const FusedModel&) = delete;
  FusedModel& operator=(const FusedModel&) = delete;

  const std::vector<NamedParameter>& parameters() const;

  // Scores (N, outputs); dropout is off.
  at::Tensor scores(const at::Tensor& inputs);

  // Adds Σ_i gradient(p, i) to sums[p], contiguous float tensors of the parameters' shapes, or
  // overwrites them. The parameters' present values are used.
  FusedGradients gradients(const FusedBatch& batch, std::vector<at::Tensor>& sums, bool add);

  // What zero_grad() and losses.mean().backward() do: sets every parameter's gradient to the mean
  // over the batch. No privacy. Returns the losses (N). Throws InvalidArgument for an empty batch,
  // which has no mean.
  at::Tensor backward(const FusedBatch& batch);

  // Adds Σ_i factor(p, i) · gradient(p, i) to the exact sums. A sample whose factor is 0
  // contributes exactly 0. What a sample contributes is a function of its record alone, bit for
  // bit. chain_ends: see ExactSums.
  FusedGradients clipped_gradients(const FusedBatch& batch, const FusedClip& clip,
                                   const std::vector<std::int64_t>& chain_ends, ExactSums& sums);

 private:
  struct Implementation;
  explicit FusedModel(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace sotto::grad
