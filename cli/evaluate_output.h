// What `sotto evaluate` tells: scores of records that may be looked at, or what was released of
// private ones.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runs/classification_scores.h"
#include "runs/held_out_release.h"
#include "sotto/train/evaluation.h"
#include "sotto/train/model_file.h"

namespace sotto::cli {

// For people: accuracy, baseline, balanced accuracy, AUC, calibration, then what the model promises
// (`privacy`), tables by class and by probability, and the confusion matrix.
std::string scores_text(const train::Evaluation& evaluation,
                        const runs::ClassificationScores& scores,
                        const std::vector<std::string>& classes, const std::string& privacy);
nlohmann::ordered_json scores_json(const train::Evaluation& evaluation,
                                   const runs::ClassificationScores& scores,
                                   const std::vector<std::string>& classes);

// Of private records: what was released, if anything, and what follows from it. `exact`: where
// exact numbers were written, if anywhere.
std::string released_text(const train::ModelCard& card,
                          const std::optional<runs::HeldOutRelease>& release,
                          const std::filesystem::path& exact);
nlohmann::ordered_json released_json(const train::ModelCard& card,
                                     const std::optional<runs::HeldOutRelease>& release,
                                     const std::filesystem::path& exact);

}  // namespace sotto::cli
