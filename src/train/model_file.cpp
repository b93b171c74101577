#include "sotto/train/model_file.h"

#include <torch/script.h>
#include <torch/serialize.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/atomic_file.h"
#include "sotto/core/error.h"
#include "sotto/lipschitz/networks.h"
#include "sotto/models/models.h"
#include "train/script_source.h"
#include "train/state_dict.h"

namespace sotto::train {
namespace {

constexpr const char* kCardFile = "sotto.json";
using Weights = std::map<std::string, torch::Tensor>;

nlohmann::json to_json(const ModelCard& card) {
  return {{"model", card.model},
          {"shape", card.shape},
          {"classes", card.classes},
          {"privacy", card.privacy},
          {"input_bound", card.input_bound},
          {"hidden_units", card.hidden_units}};
}

ModelCard card_from(const std::string& text, const std::filesystem::path& path) {
  try {
    const auto json = nlohmann::json::parse(text);
    return {json.at("model").get<std::string>(),
            json.at("shape").get<std::vector<std::int64_t>>(),
            json.at("classes").get<std::vector<std::string>>(),
            json.at("privacy").get<std::string>(),
            json.value("input_bound", 0.0),
            json.value("hidden_units", std::int64_t{512})};
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument(path.string() + ": not a model that sotto wrote (its card is damaged)");
  }
}

// A module with the same parameters and children, and no code.
torch::jit::Module copy_of(const torch::nn::Module& module, const std::string& type) {
  torch::jit::Module script(type);
  const auto parameters = module.named_parameters(/*recurse=*/false);
  for (const auto& parameter : parameters) {
    script.register_parameter(parameter.key(), parameter.value().detach().clone(), false);
  }
  for (const auto* name : {"weight", "bias"}) {
    if (parameters.size() > 0 && parameters.find(name) == nullptr) {
      script.register_attribute(name, c10::NoneType::get(), c10::IValue());
    }
  }
  for (const auto& item : module.named_children()) {
    script.register_module(item.key(), copy_of(*item.value(), type + "_" + item.key()));
  }
  return script;
}

torch::jit::Module scripted(const torch::nn::Sequential& model, const ModelCard& card) {
  torch::jit::Module script = copy_of(*model, "sotto_model");
  script.define(script_source(model));
  script.register_attribute("card_text", c10::StringType::get(), to_json(card).dump());
  script.define("def card(self) -> str:\n    return self.card_text\n");
  script.eval();
  return script;
}

torch::jit::Module read_script(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  try {
    std::istringstream stream(bytes);
    return torch::jit::load(stream, c10::Device(c10::kCPU));
  } catch (const c10::Error&) {
    throw InvalidArgument(path.string() + ": not a TorchScript file, or damaged");
  }
}

Weights weights_of(const torch::jit::Module& script) {
  Weights weights;
  for (const auto& item : script.named_parameters()) weights[item.name] = item.value;
  return weights;
}

Weights weights_of_python(const std::string& bytes, const std::filesystem::path& path) {
  try {
    return read_state_dict(bytes);
  } catch (const std::exception&) {
    throw InvalidArgument(path.string() +
                          ": neither a TorchScript file nor a state_dict saved by torch.save (in "
                          "the zip format of PyTorch 1.6 and later), or damaged");
  }
}

Weights read_weights(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  try {
    std::istringstream stream(bytes);
    return weights_of(torch::jit::load(stream, c10::Device(c10::kCPU)));
  } catch (const c10::Error&) {
    return weights_of_python(bytes, path);
  }
}

bool belongs_to(const std::string& part, const std::string& name) {
  return name.starts_with(part + ".");
}

bool part_fits(const Weights& weights, const std::string& part, const torch::nn::Module& model) {
  std::size_t fitting = 0;
  std::size_t all = 0;
  for (const auto& [name, tensor] : weights) all += belongs_to(part, name) ? 1 : 0;
  for (const auto& item : model.named_parameters()) {
    if (!belongs_to(part, item.key())) continue;
    const auto found = weights.find(item.key());
    if (found == weights.end() || found->second.sizes() != item.value().sizes()) return false;
    ++fitting;
  }
  return fitting == all;
}

// Into every parameter but those of the left-out part, if there is one.
void copy_weights(Weights weights, torch::nn::Module& model, const std::filesystem::path& path,
                  const std::optional<std::string>& left_out = {}) {
  torch::NoGradGuard no_gradients;
  if (left_out) {
    std::erase_if(weights, [&](const auto& item) { return belongs_to(*left_out, item.first); });
  }
  for (auto& item : model.named_parameters()) {
    if (left_out && belongs_to(*left_out, item.key())) continue;
    const auto found = weights.find(item.key());
    check_argument(found != weights.end(), path.string(), ": has no parameter '", item.key(), "'");
    check_argument(found->second.sizes() == item.value().sizes(), path.string(), ": parameter '",
                   item.key(), "' has shape ", found->second.sizes(), ", the model needs ",
                   item.value().sizes());
    item.value().copy_(found->second);
    weights.erase(found);
  }
  check_argument(weights.empty(), path.string(), ": parameter '",
                 weights.empty() ? "" : weights.begin()->first, "' is not in the model");
}

}  // namespace

bool is_lipschitz(const std::string& model) {
  const auto& names = lipschitz::network_names();
  return std::find(names.begin(), names.end(), model) != names.end();
}

torch::nn::Sequential network_of(const ModelCard& card) {
  const auto classes = static_cast<std::int64_t>(card.classes.size());
  if (is_lipschitz(card.model)) {
    return lipschitz::make_network(card.model, {card.shape, classes, card.input_bound});
  }
  const auto& names = models::model_names();
  if (std::find(names.begin(), names.end(), card.model) == names.end()) {
    std::string accepted;
    for (const auto& name : names) accepted += name + ", ";
    for (const auto& name : lipschitz::network_names()) accepted += name + ", ";
    throw InvalidArgument("model '" + card.model + "': accepted are " +
                          accepted.substr(0, accepted.size() - 2));
  }
  return models::make_model(card.model, {card.shape, classes, card.hidden_units});
}

void save_model(const std::filesystem::path& path, const torch::nn::Sequential& model,
                const ModelCard& card) {
  std::ostringstream stream;
  scripted(model, card).save(stream, {{kCardFile, to_json(card).dump()}});
  write_file_atomically(path, stream.str());
}

LoadedModel load_model(const std::filesystem::path& path) {
  const auto script = read_script(path);
  check_argument(script.hasattr("card_text"), path.string(), ": not a model that sotto wrote");
  const auto card = card_from(script.attr("card_text").toStringRef(), path);
  LoadedModel loaded{network_of(card), card};
  copy_weights(weights_of(script), *loaded.model, path);
  loaded.model->eval();
  return loaded;
}

void load_weights(const std::filesystem::path& path, torch::nn::Module& model) {
  copy_weights(read_weights(path), model, path);
}

bool load_weights_except(const std::string& part, const std::filesystem::path& path,
                         torch::nn::Module& model) {
  auto weights = read_weights(path);
  const bool fits = part_fits(weights, part, model);
  copy_weights(std::move(weights), model, path,
               fits ? std::optional<std::string>() : std::optional(part));
  return fits;
}

}  // namespace sotto::train
