#include "sotto/lipschitz/residual.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "lipschitz/layer_walk.h"
#include "sotto/core/error.h"

namespace sotto::lipschitz {
namespace {

template <typename Branch>
void require_branches(const std::vector<Branch>& branches, std::size_t count, const char* layer) {
  check_argument(branches.size() == count, layer, ": takes ", count, " branches, got ",
                 branches.size());
}

BranchedLayer& branched(const std::shared_ptr<torch::nn::Module>& module) {
  auto* layer = dynamic_cast<BranchedLayer*>(module.get());
  check_argument(layer != nullptr, module->name(),
                 ": has no branches; put it into a wrapped block");
  return *layer;
}

std::string child_name(std::size_t i) { return "layer" + std::to_string(i); }

// Norms before each layer, and after the last.
std::vector<Norms> norms_along(const std::vector<std::shared_ptr<torch::nn::Module>>& layers,
                               double input) {
  std::vector<Norms> norms{{input}};
  for (const auto& layer : layers) norms.push_back(branched(layer).output_norms(norms.back()));
  return norms;
}

}  // namespace

std::vector<at::Tensor> SplitResidualImpl::run(const std::vector<at::Tensor>& inputs) {
  require_branches(inputs, 1, "split");
  return {inputs[0], inputs[0]};
}

Norms SplitResidualImpl::output_norms(const Norms& inputs) const {
  require_branches(inputs, 1, "split");
  return {inputs[0], inputs[0]};
}

Norms SplitResidualImpl::cotangents(const Norms& outputs) const {
  require_branches(outputs, 2, "split");
  return {outputs[0] + outputs[1]};
}

MergeResidualImpl::MergeResidualImpl(Addition the_addition) : addition(the_addition) {}

std::vector<at::Tensor> MergeResidualImpl::run(const std::vector<at::Tensor>& inputs) {
  require_branches(inputs, 2, "merge");
  check_argument(inputs[0].sizes() == inputs[1].sizes(), "merge: the branches have shapes ",
                 inputs[0].sizes(), " and ", inputs[1].sizes());
  const at::Tensor sum = inputs[0] + inputs[1];
  return {addition == Addition::kSum ? sum : sum * weight()};
}

std::string MergeResidualImpl::kind() const {
  return addition == Addition::kSum ? "merge by sum" : "merge by average";
}

Norms MergeResidualImpl::output_norms(const Norms& inputs) const {
  require_branches(inputs, 2, "merge");
  return {weight() * (inputs[0] + inputs[1])};
}

Norms MergeResidualImpl::cotangents(const Norms& outputs) const {
  require_branches(outputs, 1, "merge");
  return {weight() * outputs[0], weight() * outputs[0]};
}

WrappedResidualImpl::WrappedResidualImpl(torch::nn::Sequential the_block)
    : block(register_module("block", std::move(the_block))) {
  static_cast<void>(bounded_layers(block));  // throws for a layer without a bound
}

// Of a clone: with a block of its own.
void WrappedResidualImpl::reset() {
  block = std::dynamic_pointer_cast<torch::nn::SequentialImpl>(block->clone());
  register_module("block", block);
}

std::vector<at::Tensor> WrappedResidualImpl::run(const std::vector<at::Tensor>& inputs) {
  require_branches(inputs, 2, "wrapped block");
  return {inputs[0], block->forward(inputs[1])};
}

Norms WrappedResidualImpl::output_norms(const Norms& inputs) const {
  require_branches(inputs, 2, "wrapped block");
  return {inputs[0], norms_through(bounded_layers(block), inputs[1]).back()};
}

Norms WrappedResidualImpl::displacements(const Norms& inputs) const {
  require_branches(inputs, 2, "wrapped block");
  return {inputs[0], displacement_through(bounded_layers(block), inputs[1])};
}

Norms WrappedResidualImpl::cotangents(const Norms& outputs) const {
  require_branches(outputs, 2, "wrapped block");
  return {outputs[0], cotangents_through(bounded_layers(block), outputs[1]).front()};
}

std::vector<ParameterBound> WrappedResidualImpl::parameter_bounds(const Norms& inputs,
                                                                  const Norms& outputs) const {
  require_branches(inputs, 2, "wrapped block");
  require_branches(outputs, 2, "wrapped block");
  const auto layers = bounded_layers(block);
  return parameter_bounds_through(layers, inputs[1], outputs[1], "block.");
}

void WrappedResidualImpl::project() { lipschitz::project(block); }

BranchesImpl::BranchesImpl(std::vector<std::shared_ptr<torch::nn::Module>> layers)
    : layers_(std::move(layers)) {
  for (const auto& layer : layers_) branched(layer);  // throws unless it is one
  register_layers();
  require_branches(norms_along(layers_, 1).back(), 1, "the end of the branches");
}

void BranchesImpl::register_layers() {
  for (std::size_t i = 0; i < layers_.size(); ++i) register_module(child_name(i), layers_[i]);
}

// Of a clone: with layers of its own.
void BranchesImpl::reset() {
  for (auto& layer : layers_) layer = layer->clone();
  register_layers();
}

at::Tensor BranchesImpl::forward(const at::Tensor& x) {
  std::vector<at::Tensor> values{x};
  for (const auto& layer : layers_) values = branched(layer).run(values);
  return values.front();
}

double BranchesImpl::output_norm(double input) const {
  return norms_along(layers_, input).back().front();
}

double BranchesImpl::displacement(double input) const {
  Norms norms{input};
  for (const auto& layer : layers_) norms = branched(layer).displacements(norms);
  return norms.front();
}

double BranchesImpl::cotangent(double output) const {
  Norms norms{output};
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    norms = branched(*layer).cotangents(norms);
  }
  return norms.front();
}

std::vector<ParameterBound> BranchesImpl::parameter_bounds_of(double input,
                                                              double cotangent) const {
  const auto inputs = norms_along(layers_, input);
  Norms gradient{cotangent};
  std::vector<std::vector<ParameterBound>> by_layer(layers_.size());
  for (std::size_t i = layers_.size(); i-- > 0;) {
    by_layer[i] = branched(layers_[i]).parameter_bounds(inputs[i], gradient);
    gradient = branched(layers_[i]).cotangents(gradient);
  }
  std::vector<ParameterBound> all;
  for (std::size_t i = 0; i < by_layer.size(); ++i) {
    for (const auto& parameter : by_layer[i]) {
      all.push_back({child_name(i) + "." + parameter.name, parameter.bound});
    }
  }
  return all;
}

void BranchesImpl::project() {
  for (const auto& layer : layers_) branched(layer).project();
}

Branches residual_block(torch::nn::Sequential block, Addition addition) {
  std::vector<std::shared_ptr<torch::nn::Module>> layers{
      std::make_shared<SplitResidualImpl>(),
      std::make_shared<WrappedResidualImpl>(std::move(block)),
      std::make_shared<MergeResidualImpl>(addition)};
  return Branches(std::move(layers));
}

}  // namespace sotto::lipschitz
