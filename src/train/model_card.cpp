#include "train/model_card.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/shallow_json.h"
#include "sotto/core/error.h"

namespace sotto::train {
namespace {

constexpr int kDepth = 2;
constexpr std::int64_t kLargestExtent = 1 << 20;
constexpr std::int64_t kSmallInput = 1 << 18;  // numbers of a sample that any file may have

std::int64_t size_in(const Json& value) {
  check_argument(value.is_number_integer(), "a size is not a whole number");
  const auto size = value.get<std::int64_t>();
  check_argument(size >= 1 && size <= kLargestExtent, "a size is out of range");
  return size;
}

std::string text_in(const Json& value) {
  check_argument(value.is_string(), "a name is not a text");
  auto text = value.get<std::string>();
  const bool plain = std::none_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20U && c != '\n') || c == 0x7F;
  });
  check_argument(plain, "a name holds control characters");
  return text;
}

double bound_in(const Json& json) {
  if (!json.contains("input_bound")) return 0;
  const auto& value = json.at("input_bound");
  check_argument(value.is_number() && std::isfinite(value.get<double>()) && value >= 0,
                 "the input's bound must be a number, 0 or above");
  return value.get<double>();
}

std::int64_t elements_of(const weights::WeightFile& file) {
  std::size_t elements = 0;
  for (const auto& [name, tensor] : file.tensors) {
    elements += tensor.bytes().size() / weights::size_of(tensor.type());
  }
  return static_cast<std::int64_t>(elements);
}

// The layers between may be of any size, but what goes in and comes out of them has its weights.
void require_part_of(const ModelCard& card, const weights::WeightFile& file) {
  const auto elements = elements_of(file);
  std::int64_t input = 1;
  for (const auto extent : card.shape) {
    input *= extent;
    check_argument(input <= std::max(kSmallInput, elements / 4), "a sample would be too large");
  }
  check_argument(static_cast<std::int64_t>(card.classes.size()) <= elements,
                 "it has more classes than weights");
  check_argument(card.model != "vgg16" || card.hidden_units <= elements,
                 "it has more hidden units than weights");
}

}  // namespace

std::string text_of(const ModelCard& card) {
  nlohmann::json json{{"model", card.model},
                      {"shape", card.shape},
                      {"classes", card.classes},
                      {"privacy", card.privacy},
                      {"input_bound", card.input_bound},
                      {"hidden_units", card.hidden_units}};
  if (!card.schema.empty()) json["schema"] = card.schema;
  return json.dump();
}

ModelCard card_from(const std::string& text, const weights::WeightFile& file) {
  const auto json = parse_shallow_json(text, "its card", kDepth);
  check_argument(json.is_object() && json.contains("model") && json.contains("shape") &&
                     json.contains("classes") && json.contains("privacy") &&
                     json.at("shape").is_array() && json.at("classes").is_array(),
                 "its card is damaged");
  ModelCard card;
  card.model = text_in(json.at("model"));
  card.privacy = text_in(json.at("privacy"));
  card.input_bound = bound_in(json);
  check_argument(json.at("shape").size() <= 3, "a sample has more than 3 axes");
  for (const auto& extent : json.at("shape")) card.shape.push_back(size_in(extent));
  for (const auto& name : json.at("classes")) card.classes.push_back(text_in(name));
  check_argument(!card.shape.empty() && !card.classes.empty(), "its card is damaged");
  if (json.contains("hidden_units")) card.hidden_units = size_in(json.at("hidden_units"));
  if (json.contains("schema")) card.schema = text_in(json.at("schema"));
  require_part_of(card, file);
  return card;
}

}  // namespace sotto::train
