#include "grad/fused_model_implementation.h"

#include <ATen/ATen.h>

#include "sotto/core/error.h"

namespace sotto::grad {
namespace {

using at::Tensor;

fused::Loss kernel_loss(FusedLoss loss) {
  switch (loss) {
    case FusedLoss::kCrossEntropy:
      return fused::Loss::kCrossEntropy;
    case FusedLoss::kHinge:
      return fused::Loss::kHinge;
    case FusedLoss::kMeanSquares:
      break;
  }
  return fused::Loss::kMeanSquares;
}

}  // namespace

fused::ParameterValues FusedModel::Implementation::values() const {
  fused::ParameterValues values;
  for (const auto& tensor : parameters) {
    check_argument(tensor.scalar_type() == at::kFloat && tensor.is_contiguous(),
                   "fused model: a parameter is no longer a contiguous float tensor");
    values.push_back(tensor.data_ptr<float>());
  }
  return values;
}

bool FusedModel::Implementation::dropping() const {
  if (droppers.empty()) return false;
  const bool training = droppers.front()->is_training();
  for (const auto* layer : droppers) {
    check_argument(layer->is_training() == training,
                   "fused model: some dropout layers are in training mode, others are not");
  }
  return training;
}

fused::ProgramInput FusedModel::Implementation::input(const Tensor& inputs,
                                                      const Tensor& records) const {
  check_argument(
      inputs.dim() >= 1 && inputs.sizes().slice(1) == options.sample_shape &&
          inputs.scalar_type() == at::kFloat && inputs.is_contiguous() && inputs.device().is_cpu(),
      "fused model: inputs of shape ", inputs.sizes(), " and type ", inputs.scalar_type(),
      "; expected contiguous floats, N samples of shape ", at::IntArrayRef(options.sample_shape));
  fused::ProgramInput result{inputs.data_ptr<float>(), nullptr, inputs.size(0)};
  if (!records.defined()) return result;
  check_argument(
      records.dim() == 1 && records.scalar_type() == at::kLong && records.is_contiguous(),
      "fused model: records must be one contiguous row of int64 numbers");
  if (records.numel() > 0) {
    check_argument(records.min().item<std::int64_t>() >= 0 &&
                       records.max().item<std::int64_t>() < inputs.size(0),
                   "fused model: a record's number is not below the ", inputs.size(0), " inputs");
  }
  result.records = records.data_ptr<std::int64_t>();
  result.count = records.size(0);
  return result;
}

Tensor FusedModel::Implementation::targets(const FusedBatch& batch) const {
  check_argument(batch.targets.dim() >= 1 && batch.targets.size(0) == batch.inputs.size(0),
                 "fused model: ", batch.inputs.size(0), " inputs, targets of shape ",
                 batch.targets.sizes());
  Tensor chosen = batch.records.defined() ? batch.targets.index_select(0, batch.records)
                                          : batch.targets.contiguous();
  if (options.loss == FusedLoss::kMeanSquares) {
    check_argument(
        chosen.dim() == 2 && chosen.size(1) == outputs() && chosen.scalar_type() == at::kFloat,
        "fused model: targets must be floats of shape (N, ", outputs(), ")");
    return chosen;
  }
  check_argument(chosen.dim() == 1 && chosen.scalar_type() == at::kLong,
                 "fused model: labels must be one int64 number per sample");
  if (chosen.numel() > 0) {
    check_argument(
        chosen.min().item<std::int64_t>() >= 0 && chosen.max().item<std::int64_t>() < outputs(),
        "fused model: a label is not below the model's ", outputs(), " outputs");
  }
  return chosen;
}

fused::GradientRequest FusedModel::Implementation::request(const Tensor& targets,
                                                           FusedGradients& result) const {
  fused::GradientRequest request;
  request.loss = kernel_loss(options.loss);
  if (options.loss == FusedLoss::kMeanSquares) {
    request.truth.targets = targets.data_ptr<float>();
  } else {
    request.truth.labels = targets.data_ptr<std::int64_t>();
  }
  request.dropping = dropping();
  if (request.dropping) {
    request.seed =
        static_cast<std::uint64_t>(at::randint(1L << 62, {1}, at::kLong).item<std::int64_t>());
  }
  result.losses = at::empty({targets.size(0)}, at::kFloat);
  request.losses = result.losses.data_ptr<float>();
  return request;
}

}  // namespace sotto::grad
