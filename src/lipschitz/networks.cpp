#include "sotto/lipschitz/lipschitz_model.h"

#include <torch/nn.h>

#include <cmath>
#include <functional>
#include <map>

#include "sotto/core/error.h"
#include "sotto/lipschitz/fixed_layers.h"
#include "sotto/lipschitz/linear_layers.h"
#include "sotto/lipschitz/residual.h"

namespace sotto::lipschitz {
namespace {

namespace nn = torch::nn;

std::int64_t values_of(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const auto size : shape) count *= size;
  return count;
}

void require_image(const std::string& name, const NetworkOptions& options) {
  check_argument(options.shape.size() == 3 && options.shape[1] >= 8 && options.shape[2] >= 8,
                 "model '", name,
                 "' needs images of at least 8x8 pixels (lip-mlp takes any shape)");
}

// Pixels are centred: their mean would take most of the norm, and says little.
nn::Sequential bounded_input(const NetworkOptions& options) {
  nn::Sequential model;
  if (options.shape.size() == 3) model->push_back("centering", LayerCentering());
  const double bound =
      options.input_bound > 0 ? options.input_bound : default_input_bound(options.shape);
  model->push_back("input", InputBound(bound));
  return model;
}

void add_head(nn::Sequential& model, std::int64_t inputs, std::int64_t hidden,
              std::int64_t classes) {
  model->push_back("flatten", nn::Flatten());
  model->push_back("linear1", Linear(LinearOptions{inputs, hidden}));
  model->push_back("maxmin_head", GroupSort());
  model->push_back("linear2", Linear(LinearOptions{hidden, classes}));
}

nn::Sequential lip_mlp(const NetworkOptions& options) {
  auto model = bounded_input(options);
  add_head(model, values_of(options.shape), 128, options.classes);
  return model;
}

struct Window {
  std::int64_t kernel = 3;
  std::int64_t stride = 1;
  std::int64_t padding = 1;
};

Conv2d conv(std::int64_t from, std::int64_t to, std::int64_t height, std::int64_t width,
            const Window& window = {}) {
  Conv2dOptions options;
  options.inputs = from;
  options.outputs = to;
  options.kernel = window.kernel;
  options.stride = window.stride;
  options.padding = window.padding;
  options.height = height;
  options.width = width;
  return Conv2d(options);
}

nn::Sequential lip_cnn(const NetworkOptions& options) {
  require_image("lip-cnn", options);
  auto model = bounded_input(options);
  const auto& shape = options.shape;
  const auto conv1 = conv(shape[0], 16, shape[1], shape[2], {5, 2, 2});
  model->push_back("conv1", conv1);
  model->push_back("maxmin1", GroupSort());
  model->push_back("conv2", conv(16, 32, conv1->output_height(), conv1->output_width()));
  model->push_back("maxmin2", GroupSort());
  model->push_back("pool2", L2NormPool2d(2));
  const auto pixels = (conv1->output_height() / 2) * (conv1->output_width() / 2);
  add_head(model, 32 * pixels, 128, options.classes);
  return model;
}

nn::Sequential block_of(std::int64_t channels, std::int64_t height, std::int64_t width) {
  nn::Sequential block;
  block->push_back("conv1", conv(channels, channels, height, width));
  block->push_back("maxmin", GroupSort());
  block->push_back("conv2", conv(channels, channels, height, width));
  return block;
}

nn::Sequential lip_resnet(const NetworkOptions& options) {
  require_image("lip-resnet", options);
  auto model = bounded_input(options);
  const auto& shape = options.shape;
  const auto first = conv(shape[0], 16, shape[1], shape[2], {4, 2, 1});
  const auto height = first->output_height();
  const auto width = first->output_width();
  model->push_back("conv", first);
  model->push_back("maxmin", GroupSort());
  model->push_back("block1", residual_block(block_of(16, height, width)));
  model->push_back("maxmin1", GroupSort());
  model->push_back("pool1", L2NormPool2d(2));
  model->push_back("block2", residual_block(block_of(16, height / 2, width / 2)));
  model->push_back("maxmin2", GroupSort());
  add_head(model, 16 * (height / 2) * (width / 2), 128, options.classes);
  return model;
}

using NetworkMaker = std::function<nn::Sequential(const NetworkOptions&)>;

const std::map<std::string, NetworkMaker>& network_makers() {
  static const std::map<std::string, NetworkMaker> table{
      {"lip-mlp", lip_mlp}, {"lip-cnn", lip_cnn}, {"lip-resnet", lip_resnet}};
  return table;
}

}  // namespace

const std::vector<std::string>& network_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, maker] : network_makers()) list.push_back(name);
    return list;
  }();
  return names;
}

nn::Sequential make_network(const std::string& name, const NetworkOptions& options) {
  const auto maker = network_makers().find(name);
  std::string accepted;
  for (const auto& known : network_names()) accepted += (accepted.empty() ? "" : ", ") + known;
  check_argument(maker != network_makers().end(), "model '", name, "': accepted are ", accepted);
  check_argument(options.classes >= 2, "a model needs at least 2 classes, got ", options.classes);
  check_argument(!options.shape.empty() && values_of(options.shape) > 0,
                 "a model needs samples with at least one value");
  return maker->second(options);
}

double default_input_bound(const std::vector<std::int64_t>& shape) {
  return std::sqrt(static_cast<double>(values_of(shape))) / 2;
}

}  // namespace sotto::lipschitz
