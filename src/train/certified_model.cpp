#include "train/certified_model.h"

#include "lipschitz/sensitivity.h"
#include "sotto/train/evaluation.h"

namespace sotto::train {

Certificate certify(LoadedModel& loaded, const TensorData& test, const std::vector<double>& radii) {
  // Pixels from 0 to 1 become -1 to 1: a change counts twice.
  const double stretch = loaded.card.shape.size() == 3 ? 2 : 1;
  Certificate certificate;
  certificate.lipschitz = stretch * lipschitz::lipschitz_constant(loaded.model);
  const auto scores = scores_of(loaded.model, test.inputs);
  certificate.accuracies = lipschitz::certified_accuracy(
      lipschitz::certified_radii(scores, test.labels, certificate.lipschitz), radii);
  return certificate;
}

nlohmann::ordered_json certificate_json(const Certificate& certificate) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& row : certificate.accuracies) {
    rows.push_back({{"radius", row.radius}, {"certified_accuracy", row.accuracy}});
  }
  return rows;
}

}  // namespace sotto::train
