#include "sotto/grad/fused_model.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "fused/exact_sums.h"
#include "fused/program.h"
#include "grad/fused_compiler.h"

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

std::vector<NamedParameter> trainable(const torch::nn::Sequential& model) {
  std::vector<NamedParameter> parameters;
  for (const auto& item : model->named_parameters()) {
    if (item.value().requires_grad()) parameters.push_back({item.key(), item.value()});
  }
  return parameters;
}

}  // namespace

struct FusedModel::Implementation {
  torch::nn::Sequential model;  // keeps the modules alive
  FusedModelOptions options;
  std::vector<const torch::nn::Module*> droppers;
  std::vector<Tensor> parameters;  // by number, the trained ones first
  fused::Program program;

  fused::ParameterValues values() const;
  bool dropping() const;
  fused::ProgramInput input(const Tensor& inputs, const Tensor& records) const;
  Tensor targets(const FusedBatch& batch) const;
  fused::GradientRequest request(const Tensor& targets, FusedGradients& result) const;
  std::int64_t outputs() const { return program.network().shape().size(); }
};

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

// Of the batch's samples, in their order.
Tensor FusedModel::Implementation::targets(const FusedBatch& batch) const {
  check_argument(batch.targets.dim() >= 1 && batch.targets.size(0) == batch.inputs.size(0),
                 "fused model: ", batch.inputs.size(0), " inputs, targets of shape ",
                 batch.targets.sizes());
  const Tensor chosen = batch.records.defined() ? batch.targets.index_select(0, batch.records)
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

FusedModel::FusedModel(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
FusedModel::~FusedModel() = default;

std::unique_ptr<FusedModel> FusedModel::compile(const torch::nn::Sequential& model,
                                                const FusedModelOptions& given,
                                                std::string& reason) {
  FusedModelOptions options = given;
  if (options.parameters.empty()) options.parameters = trainable(model);
  const int threads = options.threads > 0 ? options.threads : at::get_num_threads();
  try {
    FusedCompiler compiler(options.sample_shape, options.parameters);
    compiler.add(model, "");
    auto parameters = compiler.finish();
    const auto droppers = compiler.droppers();
    const auto count = static_cast<int>(parameters.size());
    return std::unique_ptr<FusedModel>(new FusedModel(std::unique_ptr<Implementation>(
        new Implementation{model, std::move(options), droppers, std::move(parameters),
                           fused::Program(compiler.take_network(), count, threads)})));
  } catch (const NotFused& refusal) {
    reason = refusal.what();
    return nullptr;
  }
}

const std::vector<NamedParameter>& FusedModel::parameters() const {
  return implementation_->options.parameters;
}

Tensor FusedModel::scores(const Tensor& inputs) {
  auto& self = *implementation_;
  const auto input = self.input(inputs, {});
  Tensor scores = at::empty({input.count, self.outputs()}, at::kFloat);
  self.program.scores(self.values(), input, scores.data_ptr<float>());
  return scores;
}

namespace {

// Every sample is in one chain, and none is longer than a sum in float is good for.
void check_chains(const std::vector<std::int64_t>& ends, std::int64_t samples) {
  std::int64_t begin = 0;
  for (const auto end : ends) {
    check_argument(end > begin && end - begin <= fused::kLongestChain, "fused model: a chain from ",
                   begin, " to ", end, "; expected 1 to ", fused::kLongestChain, " samples");
    begin = end;
  }
  check_argument(begin == samples, "fused model: chains of ", begin, " samples, got ", samples);
}

}  // namespace

// What both kinds of sums ask for.
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

FusedGradients FusedModel::gradients(const FusedBatch& batch, std::vector<Tensor>& sums, bool add) {
  auto& self = *implementation_;
  const auto input = self.input(batch.inputs, batch.records);
  const Tensor targets = self.targets(batch);
  const std::size_t trained = self.options.parameters.size();
  check_argument(sums.size() == trained, "fused model: expected ", trained, " sums, got ",
                 sums.size());
  FusedGradients result;
  auto request = self.request(targets, result);
  request.add = add;
  request.sums.assign(self.parameters.size(), nullptr);
  for (std::size_t i = 0; i < trained; ++i) {
    check_argument(sums[i].sizes() == self.parameters[i].sizes() &&
                       sums[i].scalar_type() == at::kFloat && sums[i].is_contiguous(),
                   "fused model: sum ", i, " has another shape or type than its parameter");
    request.sums[i] = sums[i].data_ptr<float>();
  }
  self.program.gradients(self.values(), input, request);
  return result;
}

Tensor FusedModel::backward(const FusedBatch& batch) {
  std::vector<Tensor> means;
  for (const auto& parameter : parameters()) {
    means.push_back(at::empty_like(parameter.tensor.detach(), at::MemoryFormat::Contiguous));
  }
  const Tensor losses = gradients(batch, means, /*add=*/false).losses;
  check_argument(losses.numel() > 0, "fused model: the mean over a batch without samples");
  for (std::size_t i = 0; i < means.size(); ++i) {
    Tensor parameter = parameters()[i].tensor;
    parameter.mutable_grad() = means[i].div_(static_cast<double>(losses.numel()));
  }
  return losses;
}

FusedGradients FusedModel::clipped_gradients(const FusedBatch& batch, const FusedClip& clip,
                                             const std::vector<std::int64_t>& chain_ends,
                                             ExactSums& sums) {
  auto& self = *implementation_;
  auto input = self.input(batch.inputs, batch.records);
  check_chains(chain_ends, input.count);
  input.chain_ends = chain_ends;
  const Tensor targets = self.targets(batch);
  const std::size_t trained = self.options.parameters.size();
  check_argument(sums.size() == trained, "fused model: expected ", trained, " sums, got ",
                 sums.size());
  FusedGradients result;
  auto request = self.request(targets, result);
  request.add = sums.is_set();
  request.exact_sums.assign(self.parameters.size(), nullptr);
  request.per_unit.assign(self.parameters.size(), 1);
  for (std::size_t i = 0; i < trained; ++i) {
    check_argument(sums.values(i).sizes() == self.parameters[i].sizes(), "fused model: sum ", i,
                   " has another shape than its parameter");
    request.exact_sums[i] = sums.values(i).data_ptr<double>();
    request.per_unit[i] = 1 / sums.unit(i);
  }
  const Tensor norms =  // of frozen parameters too: zero
      at::empty({static_cast<std::int64_t>(self.parameters.size()), input.count}, at::kDouble);
  request.clip = clip;
  request.squared_norms = norms.data_ptr<double>();
  result.squared_norms = norms.narrow(0, 0, static_cast<std::int64_t>(trained));
  self.program.gradients(self.values(), input, request);
  sums.mark_set();
  return result;
}

}  // namespace sotto::grad
