#include "sotto/train/training_config.h"

#include <array>

#include "sotto/core/error.h"

namespace sotto::train {
namespace {

constexpr std::array kOptimizers = {OptimizerKind::kSgd, OptimizerKind::kMomentum,
                                    OptimizerKind::kAdam, OptimizerKind::kAdamW,
                                    OptimizerKind::kRmsprop};

template <typename Value>
nlohmann::json optional_json(const std::optional<Value>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

template <typename Value>
std::optional<Value> optional_from(const nlohmann::json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<Value>();
}

nlohmann::json to_json(const CliplessConfig& config) {
  return {{"loss", lipschitz::name(config.loss)},
          {"temperature", config.temperature},
          {"margin", config.margin},
          {"input_bound", config.input_bound},
          {"noise_strategy", sotto::name(config.noise_strategy)}};
}

CliplessConfig clipless_from(const nlohmann::json& json) {
  CliplessConfig config;
  config.loss = lipschitz::loss_from_name(json.at("loss").get<std::string>());
  config.temperature = json.at("temperature").get<double>();
  config.margin = json.at("margin").get<double>();
  config.input_bound = json.at("input_bound").get<double>();
  config.noise_strategy = noise_strategy_from_name(json.at("noise_strategy").get<std::string>());
  return config;
}

TrainingConfig read(const nlohmann::json& json) {
  TrainingConfig config;
  config.dataset = json.at("dataset").get<std::string>();
  config.data_identity = json.value("data_identity", "");
  config.csv_schema = json.at("csv_schema").get<std::string>();
  config.csv_test = json.at("csv_test").get<std::string>();
  config.classes = json.at("classes").get<std::int64_t>();
  config.image_size = json.at("image_size").get<std::int64_t>();
  config.image_channels = json.at("image_channels").get<std::int64_t>();
  config.model = json.at("model").get<std::string>();
  config.batch_size = json.at("batch_size").get<std::int64_t>();
  config.epochs = json.at("epochs").get<std::int64_t>();
  config.learning_rate = json.at("learning_rate").get<double>();
  config.optimizer = optimizer_from_name(json.at("optimizer").get<std::string>());
  config.weight_decay = json.at("weight_decay").get<double>();
  config.freeze = json.at("freeze").get<std::vector<std::string>>();
  config.weights = json.at("weights").get<std::string>();
  config.average = json.at("average").get<double>();
  config.disable_dp = json.at("disable_dp").get<bool>();
  config.noise_multiplier = optional_from<double>(json.at("noise_multiplier"));
  config.target_epsilon = json.at("target_epsilon").get<double>();
  config.delta = json.at("delta").get<double>();
  config.max_grad_norm = json.at("max_grad_norm").get<double>();
  config.clipping = clipping_from_name(json.at("clipping").get<std::string>());
  config.sampling = accounting::sampling_from_name(json.at("sampling").get<std::string>());
  if (!json.at("relation").is_null()) {
    config.relation = accounting::relation_from_name(json.at("relation").get<std::string>());
  }
  config.physical_batch = json.at("physical_batch").get<std::int64_t>();
  config.seed = optional_from<std::uint64_t>(json.at("seed"));
  config.insecure_seed = optional_from<std::uint64_t>(json.at("insecure_seed"));
  config.show_norms = json.value("show_norms", false);
  config.show_private = json.value("show_private", false);
  config.class_names = json.value("class_names", std::vector<std::string>());
  config.held_out_epsilon = optional_from<double>(json.value("held_out_epsilon", nlohmann::json()));
  config.memory_limit = json.value("memory_limit", std::int64_t{0});
  config.hidden_units = json.value("hidden_units", std::int64_t{512});
  config.gradients = gradient_path_from_name(json.value("gradients", "auto"));
  config.method = method_from_name(json.value("method", "dp-sgd"));
  if (json.contains("clipless")) config.clipless = clipless_from(json.at("clipless"));
  return config;
}

}  // namespace

std::string_view name(OptimizerKind kind) {
  switch (kind) {
    case OptimizerKind::kSgd:
      return "sgd";
    case OptimizerKind::kMomentum:
      return "momentum";
    case OptimizerKind::kAdam:
      return "adam";
    case OptimizerKind::kAdamW:
      return "adamw";
    case OptimizerKind::kRmsprop:
      return "rmsprop";
  }
  return "";
}

OptimizerKind optimizer_from_name(std::string_view text) {
  for (const auto kind : kOptimizers) {
    if (name(kind) == text) return kind;
  }
  throw InvalidArgument("optimizer '" + std::string(text) +
                        "': accepted are sgd, momentum, adam, adamw and rmsprop");
}

std::string_view name(GradientPath path) {
  switch (path) {
    case GradientPath::kAuto:
      return "auto";
    case GradientPath::kFused:
      return "fused";
    case GradientPath::kGraph:
      return "graph";
  }
  return "";
}

GradientPath gradient_path_from_name(std::string_view text) {
  for (const auto path : {GradientPath::kAuto, GradientPath::kFused, GradientPath::kGraph}) {
    if (name(path) == text) return path;
  }
  throw InvalidArgument("gradients '" + std::string(text) +
                        "': accepted are auto, fused and graph");
}

std::string_view name(Method method) { return method == Method::kDpSgd ? "dp-sgd" : "clipless"; }

Method method_from_name(std::string_view text) {
  for (const auto method : {Method::kDpSgd, Method::kClipless}) {
    if (name(method) == text) return method;
  }
  throw InvalidArgument("method '" + std::string(text) + "': accepted are dp-sgd and clipless");
}

nlohmann::json TrainingConfig::to_json() const {
  return {{"dataset", dataset},
          {"data_identity", data_identity},
          {"csv_schema", csv_schema.string()},
          {"csv_test", csv_test.string()},
          {"classes", classes},
          {"image_size", image_size},
          {"image_channels", image_channels},
          {"model", model},
          {"hidden_units", hidden_units},
          {"memory_limit", memory_limit},
          {"batch_size", batch_size},
          {"epochs", epochs},
          {"learning_rate", learning_rate},
          {"optimizer", name(optimizer)},
          {"weight_decay", weight_decay},
          {"freeze", freeze},
          {"weights", weights.string()},
          {"average", average},
          {"disable_dp", disable_dp},
          {"noise_multiplier", optional_json(noise_multiplier)},
          {"target_epsilon", target_epsilon},
          {"delta", delta},
          {"max_grad_norm", max_grad_norm},
          {"clipping", sotto::name(clipping)},
          {"sampling", accounting::name(sampling)},
          {"relation", relation ? nlohmann::json(accounting::name(*relation)) : nlohmann::json()},
          {"physical_batch", physical_batch},
          {"seed", optional_json(seed)},
          {"insecure_seed", optional_json(insecure_seed)},
          {"show_norms", show_norms},
          {"show_private", show_private},
          {"class_names", class_names},
          {"held_out_epsilon", optional_json(held_out_epsilon)},
          {"gradients", name(gradients)},
          {"method", name(method)},
          {"clipless", train::to_json(clipless)}};
}

TrainingConfig TrainingConfig::from_json(const nlohmann::json& json) {
  try {
    TrainingConfig config = read(json);
    const auto known = config.to_json();
    for (const auto& item : json.items()) {
      check_argument(known.contains(item.key()), "unknown key '", item.key(),
                     "' in the configuration");
    }
    return config;
  } catch (const nlohmann::json::exception& error) {
    throw InvalidArgument(std::string("the configuration is damaged: ") + error.what());
  }
}

}  // namespace sotto::train
