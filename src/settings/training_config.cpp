#include "sotto/settings/training_config.h"

namespace sotto::settings {

TrainingConfig TrainingConfig::suited_to(TrainingMethod method, const std::string& model,
                                         bool disable_dp) {
  TrainingConfig config;
  config.method = method;
  config.disable_dp = disable_dp;
  if (disable_dp) config.average = 0;
  if (method == TrainingMethod::kClipless) {
    config.model = "lip-mlp";
    config.batch_size = 2500;
    config.epochs = 25;
    config.learning_rate = 0.3;
    config.max_grad_norm = 0.1;
  }
  if (!model.empty()) config.model = model;
  if (model == "vgg16") {
    config.image_size = 224;
    config.image_channels = 3;
  }
  return config;
}

}  // namespace sotto::settings
