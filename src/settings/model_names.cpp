#include "settings/model_names.h"

#include <algorithm>

#include "settings/values.h"
#include "sotto/core/error.h"

namespace sotto::settings {
namespace {

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

const std::vector<std::string>& network_names() {
  static const std::vector<std::string> names{
      "cnn",         "cnn-tanh",       "convnet", "mlp",  "resnet20",
      "scatter-cnn", "scatter-linear", "softmax", "vgg16"};
  return names;
}

const std::vector<std::string>& bounded_network_names() {
  static const std::vector<std::string> names{"lip-cnn", "lip-mlp", "lip-resnet"};
  return names;
}

bool is_bounded_network(const std::string& name) { return is_among(bounded_network_names(), name); }

std::string model_name(const std::string& text) {
  if (is_among(network_names(), text) || is_bounded_network(text)) return text;
  std::string accepted;
  for (const auto& name : network_names()) accepted += name + ", ";
  accepted += "or with " + the_setting("method") + " clipless";
  for (const auto& name : bounded_network_names()) {
    accepted += (name == bounded_network_names().front() ? " " : ", ") + name;
  }
  throw NotAccepted(accepted);
}

}  // namespace sotto::settings
