// What `sotto evaluate` tells: scores of records that may be looked at, or what was released of
// private ones.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/model_promise.h"
#include "runs/classification_scores.h"
#include "runs/held_out_release.h"
#include "sotto/train/evaluation.h"

namespace sotto::cli {

// For people: accuracy, baseline, balanced accuracy, AUC, calibration, then what the model
// promises, tables by class and by probability, and the confusion matrix.
std::string scores_text(const train::Evaluation& evaluation,
                        const runs::ClassificationScores& scores,
                        const std::vector<std::string>& classes, const ModelPromise& promise);
nlohmann::ordered_json scores_json(const train::Evaluation& evaluation,
                                   const runs::ClassificationScores& scores,
                                   const std::vector<std::string>& classes,
                                   const ModelPromise& promise);

// Of private records: what was released, if anything, and what follows from it; its ε only if the
// run's is proved. `exact`: where exact numbers were written, if anywhere.
std::string released_text(const std::vector<std::string>& classes, const ModelPromise& promise,
                          const std::optional<runs::HeldOutRelease>& release,
                          const std::filesystem::path& exact);
nlohmann::ordered_json released_json(const std::vector<std::string>& classes,
                                     const ModelPromise& promise,
                                     const std::optional<runs::HeldOutRelease>& release,
                                     const std::filesystem::path& exact);

}  // namespace sotto::cli
