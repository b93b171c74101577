// The gradient of every sample's own loss, clipped and added up exactly, without touching the
// model.
//
// PerSampleGradients knows all of LibTorch. One backward pass over the autograd graph of the loss
// vector gives, for every use of a parameter, what its per-sample gradients are made of
// (book-keeping: Bu et al. 2022, arXiv:2210.00038). From that come the per-sample norms, and then,
// once the clip factors are known, the clipped sum. A per-sample gradient is stored only where that
// is the cheapest way.
//
// FusedModel is the fast way on the CPU, for models made of common layers. A Sequential of such
// layers is compiled once. A step then runs a few samples at a time from the input to the loss and
// back on one core, and adds every sample's clipped gradient to the sum while it is still in cache.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/modules/container/sequential.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sotto/core/error.h"

namespace sotto::grad {

// One sum per parameter, of contributions whose norm is at most a bound. They are multiples of
// unit / 256, held in double, and added without rounding: the sums do not depend on order, threads
// or parts, and one record moves them by at most its bound (proof in docs/finite-precision.md).
//
// Linear layers add up samples in chains of at most 64 in float; a chain's sum depends on its own
// samples alone. For a private sum, how samples are cut into chains must be such that one record
// changes a bounded number of them: docs/finite-precision.md says how the engine does it.
// `chain_ends` names the chains: increasing, each at most 64 after the one before, the last the
// number of samples.
class ExactSums {
 public:
  // Zero, for gradients of these parameters; bounds[p] > 0 is the largest norm of one record's
  // contribution to p. Throws InvalidArgument for a bound that is not positive and finite.
  ExactSums(const std::vector<at::Tensor>& parameters, const std::vector<double>& bounds);

  // Nothing added, as new, for other bounds of the same parameters: keeps the memory.
  void restart(const std::vector<double>& bounds);

  std::size_t size() const { return values_.size(); }
  // In units, double, of the parameter's shape, contiguous.
  at::Tensor& values(std::size_t parameter) { return values_[parameter]; }
  double unit(std::size_t parameter) const { return units_[parameter]; }
  // Whether anything was added, so that the values mean something: they are not set before.
  bool is_set() const { return set_; }
  void mark_set() { set_ = true; }
  // Zeros where nothing was added yet.
  void settle();

  // values · unit, in double: for tests and comparisons.
  at::Tensor real(std::size_t parameter) const;

 private:
  std::vector<at::Tensor> values_;
  std::vector<double> units_;
  bool set_ = false;
};

// The losses cannot be taken apart by sample: an operation mixes samples, has no rule, or the
// losses are not one value per sample. The message names the operation and the parameter.
class NotSeparable : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

struct NamedParameter {
  std::string name;
  at::Tensor tensor;
};

// For any model. Holds the parameters, and what it needs of the graph: nothing has to outlive it.
class PerSampleGradients {
 public:
  // Runs the backward pass. `losses` has shape (N), entry i depending on sample i alone; N may be
  // 0. Parameters that the losses do not depend on have gradient zero. Throws NotSeparable.
  PerSampleGradients(const at::Tensor& losses, std::vector<NamedParameter> parameters);
  ~PerSampleGradients();
  PerSampleGradients(PerSampleGradients&&) noexcept;
  PerSampleGradients& operator=(PerSampleGradients&&) noexcept;

  std::int64_t samples() const;

  // Squared L2 norms (parameters, N), double precision: entry (p, i) is sample i's for parameter p.
  const at::Tensor& squared_norms() const;

  // Adds, per parameter p, factors[p][i] times sample i's gradient to the sum, which is exact.
  // A sample whose factor is 0 contributes exactly 0, even if its gradient is not finite. `factors`
  // has shape (parameters, N); factors[p][i] times the norm must be at most the sum's bound.
  void add_to(ExactSums& sums, const at::Tensor& factors,
              const std::vector<std::int64_t>& chain_ends) const;
  // The same as tensors, with bounds that fit these factors. For tests and diagnosis.
  std::vector<at::Tensor> weighted_sums(const at::Tensor& factors) const;

  // False if one sample that is not finite can make the gradients of others so: an operation
  // without a rule of its own uses a parameter; `parameter` is then set to its name.
  bool isolates_samples(std::string* parameter = nullptr) const;

  // Everything written out: (N, *shape) per parameter. For tests and diagnosis.
  std::vector<at::Tensor> materialised() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

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

// For a Sequential of layers that have fused kernels.
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
