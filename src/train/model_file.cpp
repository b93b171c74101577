#include "sotto/train/model_file.h"

#include <torch/script.h>
#include <torch/serialize.h>

#include <algorithm>
#include <sstream>

#include "core/atomic_file.h"
#include "sotto/core/error.h"
#include "sotto/lipschitz/lipschitz_model.h"
#include "sotto/models/models.h"
#include "train/model_card.h"
#include "train/scattering_script.h"
#include "train/script_source.h"
#include "train/table_script.h"
#include "train/weight_tensors.h"
#include "weights/safetensors.h"

namespace sotto::train {
namespace {

constexpr const char* kCardFile = "sotto.json";
using weights::WeightFile;

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

// Pixels as train::model_input has them.
constexpr const char* kPixelScript = R"(
def predict_pixels(self, pixels):
    return torch.softmax(self.forward(pixels / 127.5 - 1.0), 1)
)";

// What makes inputs of pixels or fields, and probabilities of scores.
void add_preparation(torch::jit::Module& script, const ModelCard& card) {
  if (!card.schema.empty()) {
    const auto schema = data::parse_csv_schema(card.schema, "the model's schema");
    script.register_attribute("table_text", c10::StringType::get(), table_text(schema));
    script.define(kTableScript);
  } else if (card.shape.size() == 3) {
    script.define(kPixelScript);
  }
}

bool has_scattering(const torch::nn::Module& model) {
  const auto parts = model.modules();
  return std::any_of(parts.begin(), parts.end(), [](const auto& part) {
    return part->template as<models::Scattering>() != nullptr;
  });
}

torch::jit::Module scripted(const torch::nn::Sequential& model, const ModelCard& card) {
  torch::jit::Module script = copy_of(*model, "sotto_model");
  if (has_scattering(*model)) script.define(kScatteringScript);
  script.define(script_source(model));
  script.register_attribute("card_text", c10::StringType::get(), text_of(card));
  script.define("def card(self) -> str:\n    return self.card_text\n");
  add_preparation(script, card);
  script.eval();
  return script;
}

LoadedModel model_of_card(const std::string& text, const WeightFile& file,
                          const std::filesystem::path& path) {
  try {
    const auto card = card_from(text, file);
    return {network_of(card), card};
  } catch (const c10::Error&) {  // sizes that no network of that kind has
    throw InvalidArgument(path.string() + ": not a model that sotto wrote, or damaged");
  } catch (const std::invalid_argument& error) {
    throw InvalidArgument(path.string() +
                          ": not a model that sotto wrote, or damaged: " + error.what());
  }
}

bool belongs_to(const std::string& part, const std::string& name) {
  return name.starts_with(part + ".");
}

bool part_fits(const WeightFile& file, const std::string& part, const torch::nn::Module& model) {
  std::size_t fitting = 0;
  std::size_t all = 0;
  for (const auto& [name, tensor] : file.tensors) all += belongs_to(part, name) ? 1 : 0;
  for (const auto& item : model.named_parameters()) {
    if (!belongs_to(part, item.key())) continue;
    const auto found = file.tensors.find(item.key());
    if (found == file.tensors.end()) return false;
    if (at::IntArrayRef(found->second.shape()) != item.value().sizes()) return false;
    ++fitting;
  }
  return fitting == all;
}

// The file with the model's own parameters in place of the part's.
void keep_part(const std::string& part, const torch::nn::Module& model, WeightFile& file) {
  std::erase_if(file.tensors, [&](const auto& item) { return belongs_to(part, item.first); });
  for (const auto& item : model.named_parameters()) {
    if (belongs_to(part, item.key())) add_tensor(file, item.key(), stored_of(item.value()));
  }
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
  scripted(model, card).save(stream, {{kCardFile, text_of(card)}});
  write_file_atomically(path, stream.str());
}

void save_safetensors(const std::filesystem::path& path, const torch::nn::Sequential& model,
                      const ModelCard& card) {
  WeightFile file;
  for (const auto& item : model->named_parameters()) {
    add_tensor(file, item.key(), stored_of(item.value()));
  }
  for (const auto& item : model->named_buffers()) {
    add_tensor(file, item.key(), stored_of(item.value()));
  }
  file.texts = {{"format", "pt"}, {"card", text_of(card)}, {"privacy", card.privacy}};
  write_file_atomically(path, weights::safetensors_of(file));
}

LoadedModel load_model(const std::filesystem::path& path) {
  const auto file = weights::read_weight_file(path);
  auto text = file.texts.find("card_text");                      // TorchScript
  if (text == file.texts.end()) text = file.texts.find("card");  // safetensors
  check_argument(text != file.texts.end(), path.string(), ": not a model that sotto wrote");
  auto loaded = model_of_card(text->second, file, path);
  copy_weights(file, *loaded.model, path);
  loaded.model->eval();
  return loaded;
}

void load_weights(const std::filesystem::path& path, torch::nn::Module& model) {
  copy_weights(weights::read_weight_file(path), model, path);
}

bool load_weights_except(const std::string& part, const std::filesystem::path& path,
                         torch::nn::Module& model) {
  auto file = weights::read_weight_file(path);
  const bool fits = part_fits(file, part, model);
  if (!fits) keep_part(part, model, file);
  copy_weights(file, model, path);
  return fits;
}

}  // namespace sotto::train
