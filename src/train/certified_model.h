// Accuracy of a Lipschitz network that no small change of the inputs can take away.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "lipschitz/certificate.h"
#include "sotto/train/model_file.h"
#include "train/tensor_data.h"

namespace sotto::train {

struct Certificate {
  double lipschitz = 0;  // from pixels (or columns) to scores
  std::vector<lipschitz::CertifiedAccuracy> accuracies;
};

// On test data, at these radii.
Certificate certify(LoadedModel& loaded, const TensorData& test, const std::vector<double>& radii);

nlohmann::ordered_json certificate_json(const Certificate& certificate);

}  // namespace sotto::train
