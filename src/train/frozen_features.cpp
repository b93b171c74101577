#include "train/frozen_features.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "models/vgg16.h"
#include "sotto/core/error.h"
#include "sotto/core/invalid_setting.h"
#include "train/feature_cache.h"

namespace sotto::train {
namespace {

constexpr const char* kFeatures = "features";

// images (n, 3, H, W) -> (n, 25088)
at::Tensor computed_features(torch::nn::Sequential& network, const at::Tensor& images) {
  const c10::NoGradGuard no_gradients;
  constexpr std::int64_t kAtOnce = 32;
  at::Tensor rows = at::empty({images.size(0), models::kVggFeatures});
  for (std::int64_t begin = 0; begin < images.size(0); begin += kAtOnce) {
    const auto count = std::min(kAtOnce, images.size(0) - begin);
    rows.narrow(0, begin, count).copy_(network->forward(images.narrow(0, begin, count)));
  }
  return rows;
}

class FeatureMaker {
 public:
  explicit FeatureMaker(const torch::nn::Sequential& network)
      : network_(models::vgg16_features(network)), cache_(cache_home() / "features") {
    network_->eval();
  }

  TensorData of(const TensorData& images) {
    if (images.size() == 0) return {at::empty({0, models::kVggFeatures}), images.labels};
    auto key_parts = network_->parameters();
    key_parts.push_back(images.inputs);
    const auto key = content_key(key_parts);
    if (const auto known = cache_.find(key); known && known->size(0) == images.size()) {
      return {*known, images.labels};
    }
    const at::Tensor rows = computed_features(network_, images.inputs);
    cache_.store(key, rows);
    return {rows, images.labels};
  }

 private:
  torch::nn::Sequential network_;
  FeatureCache cache_;
};

}  // namespace

bool uses_frozen_features(const TrainingConfig& config) {
  const auto& frozen = config.freeze;
  if (config.model != "vgg16") return false;
  if (std::find(frozen.begin(), frozen.end(), kFeatures) == frozen.end()) return false;
  check_setting(frozen.size() == 1, the_setting("freeze"),
                " features: its features are computed once, and the "
                "classifier is trained; freeze nothing else besides");
  check_setting(!config.weights.empty(), the_setting("freeze"),
                " features: ", the_setting("weights"),
                " must name the file to take the features' from");
  return true;
}

torch::nn::Sequential network_with_features(const TrainingConfig& config, const ModelCard& card,
                                            bool* classifier_given) {
  auto network = network_of(card);
  const bool given = load_weights_except("classifier", config.weights, *network);
  if (classifier_given != nullptr) *classifier_given = given;
  return network;
}

TensorTrainTest with_features(const TensorTrainTest& images, const TrainingConfig& config,
                              const std::function<void(const std::string&)>& say) {
  ModelCard card{config.model, images.shape, images.classes, ""};
  card.hidden_units = config.hidden_units;
  FeatureMaker maker(network_with_features(config, card));
  // Said whether there is anything to compute or not: that depends on single records.
  say("the features of new images are computed first, and kept for later runs");
  TensorTrainTest result;
  result.train = maker.of(images.train);
  result.test = maker.of(images.test);
  result.shape = {models::kVggFeatures};
  result.classes = images.classes;
  result.test_part = images.test_part;
  result.picture_shape = images.shape;
  result.pictures = images.test.inputs;
  return result;
}

}  // namespace sotto::train
