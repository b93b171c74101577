// Accuracy that no small change of the inputs can take away, computed and told.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/flags.h"
#include "lipschitz/certificate.h"
#include "sotto/train/model_file.h"
#include "train/tensor_data.h"

namespace sotto::cli {

struct Certificate {
  double lipschitz = 0;  // from pixels (or columns) to scores
  std::vector<lipschitz::CertifiedAccuracy> accuracies;
};

// 1, 2, 4, 8, 16 /255 for images, and the chosen one. Throws UsageError if that leaves none.
std::vector<double> radii_of(const train::LoadedModel& loaded, const FlagText& chosen);

// Of a Lipschitz network on test data.
Certificate certify(train::LoadedModel& loaded, const train::TensorData& test,
                    const std::vector<double>& radii);

std::string certificate_text(const Certificate& certificate);
nlohmann::ordered_json certificate_json(const Certificate& certificate);

}  // namespace sotto::cli
