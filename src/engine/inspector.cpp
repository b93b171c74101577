#include "sotto/engine/inspector.h"

#include <torch/nn.h>

#include "sotto/core/error.h"

namespace sotto {
namespace {

namespace nn = torch::nn;

template <typename... Modules>
bool is_any(const nn::Module& module) {
  return (... || (module.as<Modules>() != nullptr));
}

bool is_batch_norm(const nn::Module& module) {
  return is_any<nn::BatchNorm1d, nn::BatchNorm2d, nn::BatchNorm3d>(module);
}

template <typename Norm>
bool tracks_statistics(const nn::Module& module) {
  const auto* norm = module.as<Norm>();
  return norm != nullptr && norm->options.track_running_stats();
}

template <typename Embedding>
void check_embedding(const nn::Module& module, const std::string& name,
                     std::vector<Finding>& findings) {
  const auto* embedding = module.as<Embedding>();
  if (embedding == nullptr) return;
  if (embedding->options.max_norm().has_value()) {
    findings.push_back({name, "max_norm rescales the rows that a batch touches, without noise",
                        "leave max_norm unset"});
  }
  if (embedding->options.scale_grad_by_freq()) {
    findings.push_back({name, "scale_grad_by_freq makes gradients depend on the other samples",
                        "leave scale_grad_by_freq unset"});
  }
}

void check_module(const nn::Module& module, const std::string& name,
                  std::vector<Finding>& findings) {
  if (is_batch_norm(module)) {
    findings.push_back({name, "BatchNorm mixes the samples of a batch",
                        "use GroupNorm, or make_compatible(model)"});
  }
  if (tracks_statistics<nn::InstanceNorm1d>(module) ||
      tracks_statistics<nn::InstanceNorm2d>(module) ||
      tracks_statistics<nn::InstanceNorm3d>(module)) {
    findings.push_back({name, "InstanceNorm's running statistics are taken from data without noise",
                        "set track_running_stats(false), or make_compatible(model)"});
  }
  if (module.as<nn::AdaptiveLogSoftmaxWithLoss>() != nullptr) {
    findings.push_back({name,
                        "AdaptiveLogSoftmaxWithLoss takes another way through the network when one "
                        "sample's label is rare",
                        "use a linear layer and cross_entropy"});
  }
  check_embedding<nn::Embedding>(module, name, findings);
  check_embedding<nn::EmbeddingBag>(module, name, findings);
}

bool has_trainable(const nn::Module& model) {
  for (const auto& parameter : model.parameters()) {
    if (parameter.requires_grad()) return true;
  }
  return false;
}

}  // namespace

std::string Finding::text() const {
  return (module.empty() ? "the model" : "module '" + module + "'") + ": " + reason + "; " + remedy;
}

std::vector<Finding> check(const nn::Module& model) {
  std::vector<Finding> findings;
  for (const auto& item : model.named_modules("", /*include_self=*/false)) {
    check_module(*item.value(), item.key(), findings);
  }
  check_module(model, "", findings);
  if (!has_trainable(model)) {
    findings.push_back({"", "no parameter is trainable", "unfreeze at least one"});
  }
  return findings;
}

void require_compatible(const nn::Module& model) {
  const auto findings = check(model);
  if (!findings.empty()) throw InvalidArgument(findings.front().text());
}

}  // namespace sotto
