#include "engine/trained_parameters.h"

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "sotto/core/error.h"

namespace sotto {

namespace {

// Noise rounded to fewer bits than its sum needs tells about the sum.
void require_precision(const std::string& name, const at::Tensor& parameter) {
  const bool precise =
      parameter.scalar_type() == at::kFloat || parameter.scalar_type() == at::kDouble;
  check_argument(precise, "parameter '", name, "' is of type ", parameter.scalar_type(),
                 ": trained are float and double");
}

}  // namespace

std::vector<grad::NamedParameter> trained_parameters(const torch::nn::Module& model,
                                                     torch::optim::Optimizer& optimizer) {
  std::unordered_map<const c10::TensorImpl*, std::string> names;
  for (const auto& item : model.named_parameters()) {
    names.emplace(item.value().unsafeGetTensorImpl(), item.key());
  }
  std::vector<grad::NamedParameter> trained;
  std::unordered_set<const c10::TensorImpl*> seen;
  for (auto& group : optimizer.param_groups()) {
    for (auto& tensor : group.params()) {
      const auto name = names.find(tensor.unsafeGetTensorImpl());
      check_argument(name != names.end(), "the optimizer holds a parameter of shape ",
                     tensor.sizes(), " that is not the model's: it would be updated without noise");
      check_argument(seen.insert(tensor.unsafeGetTensorImpl()).second, "parameter '", name->second,
                     "' is in the optimizer twice");
      if (!tensor.requires_grad()) continue;
      require_precision(name->second, tensor);
      trained.push_back({name->second, tensor});
    }
  }
  check_argument(!trained.empty(), "the optimizer holds no trainable parameter");
  return trained;
}

std::vector<std::int64_t> layers_of(const std::vector<grad::NamedParameter>& parameters) {
  std::map<std::string, std::int64_t> numbers;
  std::vector<std::int64_t> layers;
  for (const auto& parameter : parameters) {
    const auto dot = parameter.name.rfind('.');
    const auto layer = dot == std::string::npos ? std::string() : parameter.name.substr(0, dot);
    layers.push_back(
        numbers.emplace(layer, static_cast<std::int64_t>(numbers.size())).first->second);
  }
  return layers;
}

void forbid_other_gradients(torch::optim::Optimizer& optimizer,
                            const std::vector<grad::NamedParameter>& noised) {
  std::unordered_set<const c10::TensorImpl*> known;
  for (const auto& parameter : noised) known.insert(parameter.tensor.unsafeGetTensorImpl());
  for (auto& group : optimizer.param_groups()) {
    for (auto& tensor : group.params()) {
      if (known.contains(tensor.unsafeGetTensorImpl())) continue;
      check_argument(!tensor.requires_grad(), "the optimizer holds a trainable parameter of shape ",
                     tensor.sizes(),
                     " that it did not hold when the engine was made: it would be updated without "
                     "noise");
      tensor.mutable_grad() = at::Tensor();
    }
  }
}

}  // namespace sotto
