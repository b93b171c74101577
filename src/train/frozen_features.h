// Transfer learning: where a network's features are frozen, they are computed once for every
// record, and only its classifier is trained.
#pragma once

#include <functional>

#include "sotto/train/model_file.h"
#include "train/tensor_data.h"

namespace sotto::train {

// True for vgg16 with --freeze features. Throws InvalidArgument, naming the flag, if the
// configuration cannot be run so: without weights, or with other layers frozen besides.
bool uses_frozen_features(const TrainingConfig& config);

// The whole network with the weights that the configuration names. REQUIRES:
// uses_frozen_features(). Throws InvalidArgument if they do not fit. `classifier_given`: whether
// the file had a classifier of this shape too.
torch::nn::Sequential network_with_features(const TrainingConfig& config, const ModelCard& card,
                                            bool* classifier_given = nullptr);

// The same records by their features, (n, 25088), from the cache if they are there. Each is a
// function of its own record and of the given weights alone: private training on them promises what
// it promises on the records. `say` is told before a long computation.
TensorTrainTest with_features(const TensorTrainTest& images, const TrainingConfig& config,
                              const std::function<void(const std::string&)>& say);

}  // namespace sotto::train
