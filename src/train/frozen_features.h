// Features that are not trained are computed once for every record, and only the classifier behind
// them is trained.
#pragma once

#include <functional>

#include "sotto/train/model_file.h"
#include "train/tensor_data.h"

namespace sotto::train {

// True for scattering networks, and for vgg16 with --freeze features. Throws InvalidArgument,
// naming the flag, if the configuration cannot be run so: with other layers frozen besides, or
// vgg16 without weights.
bool uses_frozen_features(const TrainingConfig& config);
// True if LibTorch's kernels compute them, many records at once: those of scattering are a function
// of one record alone, bit for bit.
bool libtorch_computes_features(const TrainingConfig& config);

// The whole network with the weights that the configuration names. REQUIRES:
// uses_frozen_features(). Throws InvalidArgument if they do not fit. `classifier_given`: whether
// the file had a classifier of this shape too.
torch::nn::Sequential network_with_features(const TrainingConfig& config, const ModelCard& card,
                                            bool* classifier_given = nullptr);
// A new classifier like that of such a network.
torch::nn::Sequential new_classifier(const TrainingConfig& config, const ModelCard& card);

// The same records by their features, (n, ...). Each is a function of its own record and of given
// weights alone: private training on them promises what it promises on the records. Those of vgg16
// take long, and come from the cache if they are there; `say` is told before.
TensorTrainTest with_features(const TensorTrainTest& images, const TrainingConfig& config,
                              const std::function<void(const std::string&)>& say);

}  // namespace sotto::train
