#include "sotto/engine/inspector.h"

#include <torch/nn.h>

#include <numeric>
#include <sstream>

#include "sotto/core/error.h"

namespace sotto {
namespace {

namespace nn = torch::nn;

// Channels of a BatchNorm; 0 for any other module.
std::int64_t batch_norm_channels(const nn::Module& module) {
  if (const auto* norm = module.as<nn::BatchNorm1d>()) return norm->options.num_features();
  if (const auto* norm = module.as<nn::BatchNorm2d>()) return norm->options.num_features();
  if (const auto* norm = module.as<nn::BatchNorm3d>()) return norm->options.num_features();
  return 0;
}

// A module where it stands in the model: only what stands in a Sequential can be replaced from
// outside.
struct Placed {
  const nn::Module& module;
  std::string name;
  bool in_sequential = false;
  std::string holder;  // name of that Sequential; "" if it is the model itself

  // `by_hand`, and what else could be done.
  std::string remedy(const std::string& by_hand) const {
    if (in_sequential && holder.empty()) return by_hand + ", or make_compatible(model)";
    if (in_sequential) {
      return by_hand + ", or, in your class, hold make_compatible(...).model of the Sequential '" +
             holder + "' in its place";
    }
    return by_hand +
           " in your class, by hand: make_compatible replaces layers of a Sequential, not "
           "members of other classes";
  }
};

Placed placed(const nn::Module& model, const std::string& name, const nn::Module& module) {
  const auto dot = name.rfind('.');
  const std::string holder = dot == std::string::npos ? "" : name.substr(0, dot);
  const nn::Module* parent = &model;
  std::istringstream steps(holder);
  for (std::string step; std::getline(steps, step, '.');) {
    parent = parent->named_children()[step].get();
  }
  return {module, name, parent->as<nn::Sequential>() != nullptr, holder};
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

void check_module(const Placed& place, std::vector<Finding>& findings) {
  const auto& [module, name, in_sequential, holder] = place;
  if (const auto channels = batch_norm_channels(module); channels > 0) {
    const auto groups = std::gcd<std::int64_t>(32, channels);
    findings.push_back({name, "BatchNorm mixes the samples of a batch",
                        place.remedy(detail::join_message("use GroupNorm(GroupNormOptions(", groups,
                                                          ", ", channels, "))"))});
  }
  if (tracks_statistics<nn::InstanceNorm1d>(module) ||
      tracks_statistics<nn::InstanceNorm2d>(module) ||
      tracks_statistics<nn::InstanceNorm3d>(module)) {
    findings.push_back({name, "InstanceNorm's running statistics are taken from data without noise",
                        place.remedy("set track_running_stats(false)")});
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
    check_module(placed(model, item.key(), *item.value()), findings);
  }
  check_module({model, "", false, ""}, findings);
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
