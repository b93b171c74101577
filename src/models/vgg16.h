// VGG16 (arXiv:1409.1556, configuration D) with torchvision's parameter names, and a new
// classifier.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <cstdint>

namespace sotto::models {

// What the classifier takes: 25088.
constexpr std::int64_t kVggFeatures = std::int64_t{512} * 7 * 7;

// "scale" (pixels from -1..1 to ImageNet's mean and deviation), "features" (13 convolutions),
// "avgpool" (to 7x7), "flatten", "classifier". Takes (N, 3, H, W), H and W at least 32.
torch::nn::Sequential vgg16(std::int64_t classes, std::int64_t hidden_units);

// The classifier alone: linear to `hidden_units`, ReLU, linear to `classes`; (N, 25088) to scores.
torch::nn::Sequential vgg16_classifier(std::int64_t classes, std::int64_t hidden_units);

}  // namespace sotto::models
