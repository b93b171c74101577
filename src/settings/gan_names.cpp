#include "settings/from_name.h"
#include "sotto/settings/gan_config.h"

namespace sotto::settings {

std::string_view to_string(GeneratorMethod method) {
  if (method == GeneratorMethod::kMerf) return "merf";
  return method == GeneratorMethod::kBasic ? "basic" : "advanced";
}

GeneratorMethod generator_method_from_name(std::string_view text) {
  return from_name(
      std::array{GeneratorMethod::kMerf, GeneratorMethod::kBasic, GeneratorMethod::kAdvanced}, text,
      "method");
}

std::string_view to_string(Networks networks) {
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

std::string_view to_string(Latent latent) {
  return latent == Latent::kNormal ? "normal" : "uniform";
}

Latent latent_from_name(std::string_view text) {
  return from_name(std::array{Latent::kNormal, Latent::kUniform}, text, "latent");
}

std::string_view to_string(CriticLoss loss) {
  return loss == CriticLoss::kWasserstein ? "wasserstein" : "logistic";
}

CriticLoss critic_loss_from_name(std::string_view text) {
  return from_name(std::array{CriticLoss::kWasserstein, CriticLoss::kLogistic}, text,
                   "critic loss");
}

}  // namespace sotto::settings
