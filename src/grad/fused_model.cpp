#include "sotto/grad/grad.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "fused/exact_sums.h"
#include "grad/fused_compiler.h"
#include "grad/fused_model_implementation.h"

namespace sotto::grad {
namespace {

using at::Tensor;

std::vector<NamedParameter> trainable(const torch::nn::Sequential& model) {
  std::vector<NamedParameter> parameters;
  for (const auto& item : model->named_parameters()) {
    if (item.value().requires_grad()) parameters.push_back({item.key(), item.value()});
  }
  return parameters;
}

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

FusedModel::FusedModel(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
FusedModel::~FusedModel() = default;

CompiledModel FusedModel::compile(const torch::nn::Sequential& model,
                                  const FusedModelOptions& given) {
  FusedModelOptions options = given;
  if (options.parameters.empty()) options.parameters = trainable(model);
  const int threads = options.threads > 0 ? options.threads : at::get_num_threads();
  try {
    FusedCompiler compiler(options.sample_shape, options.parameters);
    compiler.add(model, "");
    auto parameters = compiler.finish();
    const auto droppers = compiler.droppers();
    const auto count = static_cast<int>(parameters.size());
    auto implementation = std::make_unique<Implementation>(
        Implementation{model, std::move(options), droppers, std::move(parameters),
                       fused::Program(compiler.take_network(), count, threads)});
    return {std::unique_ptr<FusedModel>(new FusedModel(std::move(implementation))), ""};
  } catch (const NotFused& refusal) {
    return {nullptr, refusal.what()};
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
  Tensor losses = gradients(batch, means, /*add=*/false).losses;
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
