#include "train/frozen_features.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <optional>

#include "models/scatter_networks.h"
#include "models/vgg16.h"
#include "sotto/core/error.h"
#include "train/feature_cache.h"

namespace sotto::train {
namespace {

constexpr const char* kFeatures = "features";

bool is_scattering(const TrainingConfig& config) { return config.model.starts_with("scatter-"); }

class FeatureMaker {
 public:
  FeatureMaker(const torch::nn::Sequential& network, bool cached)
      : network_(models::features_of(network)), at_once_(cached ? 32 : 1024) {
    if (cached) cache_.emplace(cache_home() / "features");
    network_->eval();
  }

  TensorData of(const TensorData& images) {
    if (!cache_ || images.size() == 0) return {computed(images.inputs), images.labels};
    auto key_parts = network_->parameters();
    key_parts.push_back(images.inputs);
    const auto key = content_key(key_parts);
    if (const auto known = cache_->find(key); known && known->size(0) == images.size()) {
      return {*known, images.labels};
    }
    const at::Tensor rows = computed(images.inputs);
    cache_->store(key, rows);
    return {rows, images.labels};
  }

 private:
  // Of the features of one image.
  std::vector<std::int64_t> sizes_of_one(const at::Tensor& images) {
    auto sizes = images.sizes().vec();
    sizes[0] = 1;
    return network_->forward(at::zeros(sizes)).sizes().vec();
  }

  // images (n, channels, H, W) -> features (n, ...)
  at::Tensor computed(const at::Tensor& images) {
    const c10::NoGradGuard no_gradients;
    auto sizes = sizes_of_one(images);
    sizes[0] = images.size(0);
    at::Tensor rows = at::empty(sizes);
    for (std::int64_t begin = 0; begin < images.size(0); begin += at_once_) {
      const auto count = std::min(at_once_, images.size(0) - begin);
      rows.narrow(0, begin, count).copy_(network_->forward(images.narrow(0, begin, count)));
    }
    return rows;
  }

  torch::nn::Sequential network_;
  std::int64_t at_once_;
  std::optional<FeatureCache> cache_;
};

}  // namespace

bool uses_frozen_features(const TrainingConfig& config) {
  const auto& frozen = config.freeze;
  const bool named = std::find(frozen.begin(), frozen.end(), kFeatures) != frozen.end();
  if (is_scattering(config)) {
    check_setting(frozen.size() == (named ? 1 : 0), the_setting("freeze"), ": of ", config.model,
                  " the features are never trained; freeze nothing besides");
    return true;
  }
  if (config.model != "vgg16" || !named) return false;
  check_setting(frozen.size() == 1, the_setting("freeze"),
                " features: its features are computed once, and the "
                "classifier is trained; freeze nothing else besides");
  check_setting(!config.weights.empty(), the_setting("freeze"),
                " features: ", the_setting("weights"),
                " must name the file to take the features' from");
  return true;
}

bool libtorch_computes_features(const TrainingConfig& config) {
  return uses_frozen_features(config) && !is_scattering(config);
}

torch::nn::Sequential network_with_features(const TrainingConfig& config, const ModelCard& card,
                                            bool* classifier_given) {
  auto network = network_of(card);
  bool given = false;
  if (!is_scattering(config)) {
    given = load_weights_except("classifier", config.weights, *network);
  } else if (!config.weights.empty()) {
    load_weights(config.weights, *network);
    given = true;
  }
  if (classifier_given != nullptr) *classifier_given = given;
  return network;
}

torch::nn::Sequential new_classifier(const TrainingConfig& config, const ModelCard& card) {
  if (is_scattering(config)) return models::classifier_of(network_of(card));
  return models::vgg16_classifier(static_cast<std::int64_t>(card.classes.size()),
                                  config.hidden_units);
}

TensorTrainTest with_features(const TensorTrainTest& images, const TrainingConfig& config,
                              const std::function<void(const std::string&)>& say) {
  ModelCard card{config.model, images.shape, images.classes, ""};
  card.hidden_units = config.hidden_units;
  const bool cached = libtorch_computes_features(config);
  FeatureMaker maker(network_with_features(config, card), cached);
  // Said whether there is anything to compute or not: that depends on single records.
  if (cached) say("the features of new images are computed first, and kept for later runs");
  TensorTrainTest result;
  result.train = maker.of(images.train);
  result.test = maker.of(images.test);
  result.shape = result.train.inputs.sizes().slice(1).vec();
  result.classes = images.classes;
  result.test_part = images.test_part;
  result.picture_shape = images.shape;
  result.pictures = images.test.inputs;
  return result;
}

}  // namespace sotto::train
