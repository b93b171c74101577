#include "lipschitz/sensitivity.h"

#include <torch/nn.h>

#include <cmath>
#include <limits>
#include <set>
#include <typeinfo>

#include "lipschitz/layer_walk.h"
#include "sotto/core/error.h"

namespace sotto::lipschitz {
namespace {

namespace nn = torch::nn;

// A layer of torch::nn whose bounds follow from its type.
class StockLayer : public OneBranchLayer {
 public:
  explicit StockLayer(std::string kind) : kind_(std::move(kind)) {}
  std::string kind() const override { return kind_; }

 private:
  std::string kind_;
};

// A class derived from a layer may compute something else.
template <typename Layer>
const Layer* exactly(const nn::Module& module) {
  return typeid(module) == typeid(Layer) ? dynamic_cast<const Layer*>(&module) : nullptr;
}

bool overlaps(const nn::MaxPool2dImpl& pool) {
  const auto& o = pool.options;
  const auto& size = *o.kernel_size();
  const auto& stride = *o.stride();
  const auto& dilation = *o.dilation();
  return stride[0] < size[0] || stride[1] < size[1] || dilation[0] != 1 || dilation[1] != 1;
}

std::shared_ptr<BoundedLayer> stock_layer(const nn::Module& module, const std::string& name) {
  if (exactly<nn::ReLUImpl>(module) != nullptr) return std::make_shared<StockLayer>("ReLU");
  if (exactly<nn::IdentityImpl>(module) != nullptr) return std::make_shared<StockLayer>("identity");
  if (const auto* flatten = exactly<nn::FlattenImpl>(module)) {
    check_argument(flatten->options.start_dim() >= 1, name,
                   ": flattens the batch, which mixes samples");
    return std::make_shared<StockLayer>("flatten");
  }
  if (const auto* pool = exactly<nn::MaxPool2dImpl>(module)) {
    check_argument(!overlaps(*pool), name,
                   ": its windows overlap, so that a pixel can count several times; give it a "
                   "stride of its size, and no dilation");
    return std::make_shared<StockLayer>("max pool");
  }
  return nullptr;
}

// Why a layer of torch::nn has no bound, and what to use instead.
std::string remedy(const nn::Module& module) {
  if (module.as<nn::LinearImpl>() != nullptr) {
    return "its weights may grow without limit; use lipschitz::Linear and lipschitz::Bias";
  }
  if (module.as<nn::Conv2dImpl>() != nullptr) {
    return "its weights may grow without limit; use lipschitz::Conv2d and lipschitz::Bias";
  }
  if (module.as<nn::GroupNormImpl>() != nullptr || module.as<nn::LayerNormImpl>() != nullptr ||
      module.as<nn::InstanceNorm2dImpl>() != nullptr) {
    return "it divides by a deviation that may be as small as one likes, so that no bound holds; "
           "use lipschitz::LayerCentering";
  }
  if (module.as<nn::BatchNorm1dImpl>() != nullptr || module.as<nn::BatchNorm2dImpl>() != nullptr) {
    return "it mixes samples; use lipschitz::LayerCentering";
  }
  if (module.as<nn::DropoutImpl>() != nullptr) {
    return "it enlarges what it keeps; leave it out";
  }
  return "no bound of its gradients is known here; use the layers of sotto/lipschitz, ReLU, "
         "Flatten "
         "or MaxPool2d";
}

// The gradient of a parameter used twice is a sum, which one use's bound does not cover.
void require_own_parameters(const nn::Sequential& model) {
  std::set<const c10::TensorImpl*> seen;
  for (const auto& item : model->named_children()) {
    for (const auto& parameter : item.value()->parameters()) {
      check_argument(seen.insert(parameter.unsafeGetTensorImpl()).second, "layer '", item.key(),
                     "': its parameters are used by another layer too, so that their gradients add "
                     "up; give each layer its own");
    }
  }
}

}  // namespace

std::vector<NamedLayer> bounded_layers(const nn::Sequential& model) {
  require_own_parameters(model);
  std::vector<NamedLayer> layers;
  for (const auto& item : model->named_children()) {
    if (const auto* layer = dynamic_cast<const BoundedLayer*>(item.value().get())) {
      layers.push_back({item.key(), layer, nullptr});
      continue;
    }
    auto stock = stock_layer(*item.value(), item.key());
    check_argument(stock != nullptr, "layer '", item.key(), "' (", item.value()->name(),
                   ") has no proven bound: ", remedy(*item.value()));
    layers.push_back({item.key(), stock.get(), stock});
  }
  return layers;
}

std::vector<LayerBounds> layer_bounds(const nn::Sequential& model, double loss_gradient) {
  const auto layers = bounded_layers(model);
  const auto norms = norms_through(layers, std::numeric_limits<double>::infinity());
  const auto cotangents = cotangents_through(layers, loss_gradient);
  std::vector<LayerBounds> all;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    LayerBounds bounds{
        layers[i].name, layers[i].layer->kind(), norms[i + 1], cotangents[i + 1], {}};
    for (const auto& parameter :
         layers[i].layer->parameter_bounds({norms[i]}, {cotangents[i + 1]})) {
      check_argument(std::isfinite(parameter.bound), "parameter '", layers[i].name, ".",
                     parameter.name,
                     "': its gradient has no bound, because inputs have none; put "
                     "an InputBound before it");
      bounds.parameters.push_back({layers[i].name + "." + parameter.name, parameter.bound});
    }
    all.push_back(std::move(bounds));
  }
  return all;
}

std::vector<ParameterBound> gradient_bounds(const nn::Sequential& model, double loss_gradient) {
  std::vector<ParameterBound> all;
  for (const auto& layer : layer_bounds(model, loss_gradient)) {
    all.insert(all.end(), layer.parameters.begin(), layer.parameters.end());
  }
  return all;
}

double lipschitz_constant(const nn::Sequential& model) {
  return displacement_through(bounded_layers(model), 1);
}

void project(nn::Sequential& model) {
  for (const auto& item : model->named_children()) {
    if (auto* layer = dynamic_cast<BoundedLayer*>(item.value().get())) layer->project();
  }
}

}  // namespace sotto::lipschitz
