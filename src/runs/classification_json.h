// A classifier's scores as JSON: in evaluation.json, and from `sotto evaluate --json`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runs/classification_scores.h"

namespace sotto::runs {

// Members accuracy_interval, baseline, balanced_accuracy, per_class, auc, calibration and
// intervals; null for what cannot be said. `classes`: as many names as there are classes.
nlohmann::ordered_json json_of(const ClassificationScores& scores,
                               const std::vector<std::string>& classes);

// The members auc and calibration of evaluation.json, as json_of() wrote them; nothing of null.
// Throw InvalidArgument, naming the member, for anything else.
std::optional<RankingAuc> auc_from_json(const nlohmann::json& json);
std::optional<Reliability> reliability_from_json(const nlohmann::json& json);

}  // namespace sotto::runs
