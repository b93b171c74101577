#include "sotto/gan/gan_config.h"

#include <array>

#include "sotto/core/error.h"

namespace sotto::gan {
namespace {

template <typename Enum, std::size_t N>
Enum from_name(const std::array<Enum, N>& values, std::string_view text, const char* what) {
  std::string accepted;
  for (const auto value : values) {
    if (name(value) == text) return value;
    accepted += (accepted.empty() ? "" : ", ") + std::string(name(value));
  }
  throw InvalidArgument(std::string(what) + " '" + std::string(text) + "': accepted are " +
                        accepted);
}

template <typename T>
nlohmann::json or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

template <typename T>
std::optional<T> optional_from(const nlohmann::json& json) {
  return json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
}

nlohmann::json data_json(const DataChoice& data) {
  return {{"dataset", data.dataset},
          {"csv_schema", data.csv_schema.string()},
          {"csv_test", data.csv_test.string()},
          {"classes", data.classes},
          {"image_size", data.image_size},
          {"image_channels", data.image_channels},
          {"class_names", data.class_names},
          {"held_out_epsilon", or_null(data.held_out_epsilon)}};
}

DataChoice data_from(const nlohmann::json& json) {
  return {json.at("dataset").get<std::string>(),
          json.at("csv_schema").get<std::string>(),
          json.at("csv_test").get<std::string>(),
          json.at("classes").get<std::int64_t>(),
          json.at("image_size").get<std::int64_t>(),
          json.at("image_channels").get<std::int64_t>(),
          json.value("class_names", std::vector<std::string>()),
          optional_from<double>(json.value("held_out_epsilon", nlohmann::json()))};
}

}  // namespace

std::string_view name(Method method) {
  if (method == Method::kMerf) return "merf";
  return method == Method::kBasic ? "basic" : "advanced";
}

Method method_from_name(std::string_view text) {
  return from_name(std::array{Method::kMerf, Method::kBasic, Method::kAdvanced}, text, "method");
}

std::string_view name(Networks networks) {
  switch (networks) {
    case Networks::kDeconv:
      return "deconv";
    case Networks::kDcgan:
      return "dcgan";
    case Networks::kAutoencoder:
      return "autoencoder";
    case Networks::kMlp:
      return "mlp";
  }
  return "";
}

Networks networks_from_name(std::string_view text) {
  return from_name(
      std::array{Networks::kDeconv, Networks::kDcgan, Networks::kAutoencoder, Networks::kMlp}, text,
      "networks");
}

std::string_view name(Latent latent) { return latent == Latent::kNormal ? "normal" : "uniform"; }

Latent latent_from_name(std::string_view text) {
  return from_name(std::array{Latent::kNormal, Latent::kUniform}, text, "latent");
}

std::string_view name(CriticLoss loss) {
  return loss == CriticLoss::kWasserstein ? "wasserstein" : "logistic";
}

CriticLoss critic_loss_from_name(std::string_view text) {
  return from_name(std::array{CriticLoss::kWasserstein, CriticLoss::kLogistic}, text,
                   "critic loss");
}

nlohmann::json GanConfig::to_json() const {
  return {{"kind", "gan"},
          {"data", data_json(data)},
          {"method", name(method)},
          {"networks", networks ? nlohmann::json(name(*networks)) : nlohmann::json()},
          {"width", width},
          {"latent_size", latent_size},
          {"latent", name(latent)},
          {"target_epsilon", target_epsilon},
          {"noise_multiplier", or_null(noise_multiplier)},
          {"delta", delta},
          {"disable_dp", disable_dp},
          {"batch_size", batch_size},
          {"steps", steps},
          {"max_grad_norm", max_grad_norm},
          {"penalty", penalty},
          {"critic_steps", critic_steps},
          {"adaptive_critic_steps", adaptive_critic_steps},
          {"critic_loss", name(critic_loss)},
          {"generator_rate", generator_rate},
          {"critic_rate", critic_rate},
          {"tolerance", tolerance},
          {"public_data", data_json(public_data)},
          {"groups", groups},
          {"warm_start_steps", warm_start_steps},
          {"pretrain_epochs", pretrain_epochs},
          {"pretraining_is_not_private", pretraining_is_not_private},
          {"fit_steps", fit_steps},
          {"fit_batch", fit_batch},
          {"fit_rate", fit_rate},
          {"show_private", show_private},
          {"seed", or_null(seed)},
          {"insecure_seed", or_null(insecure_seed)}};
}

GanConfig GanConfig::from_json(const nlohmann::json& json) {
  GanConfig c;
  try {
    check_argument(json.at("kind") == "gan", "config.json: not a generator's run");
    c.data = data_from(json.at("data"));
    c.method = method_from_name(json.at("method").get<std::string>());
    if (!json.at("networks").is_null()) {
      c.networks = networks_from_name(json.at("networks").get<std::string>());
    }
    json.at("width").get_to(c.width);
    json.at("latent_size").get_to(c.latent_size);
    c.latent = latent_from_name(json.at("latent").get<std::string>());
    json.at("target_epsilon").get_to(c.target_epsilon);
    c.noise_multiplier = optional_from<double>(json.at("noise_multiplier"));
    json.at("delta").get_to(c.delta);
    json.at("disable_dp").get_to(c.disable_dp);
    json.at("batch_size").get_to(c.batch_size);
    json.at("steps").get_to(c.steps);
    json.at("max_grad_norm").get_to(c.max_grad_norm);
    json.at("penalty").get_to(c.penalty);
    json.at("critic_steps").get_to(c.critic_steps);
    json.at("adaptive_critic_steps").get_to(c.adaptive_critic_steps);
    c.critic_loss = critic_loss_from_name(json.at("critic_loss").get<std::string>());
    json.at("generator_rate").get_to(c.generator_rate);
    json.at("critic_rate").get_to(c.critic_rate);
    json.at("tolerance").get_to(c.tolerance);
    c.public_data = data_from(json.at("public_data"));
    json.at("groups").get_to(c.groups);
    json.at("warm_start_steps").get_to(c.warm_start_steps);
    json.at("pretrain_epochs").get_to(c.pretrain_epochs);
    json.at("pretraining_is_not_private").get_to(c.pretraining_is_not_private);
    json.at("fit_steps").get_to(c.fit_steps);
    json.at("fit_batch").get_to(c.fit_batch);
    json.at("fit_rate").get_to(c.fit_rate);
    c.show_private = json.value("show_private", false);
    c.seed = optional_from<std::uint64_t>(json.at("seed"));
    c.insecure_seed = optional_from<std::uint64_t>(json.at("insecure_seed"));
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument("config.json: a setting is missing or of the wrong type");
  }
  return c;
}

}  // namespace sotto::gan
