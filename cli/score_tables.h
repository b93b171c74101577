// A classifier's scores as tables for a terminal.
#pragma once

#include <string>
#include <vector>

#include "runs/classification_scores.h"

namespace sotto::cli {

// "85.71 % (80.12 to 90.24)", "–" for nothing.
std::string share_text(const std::optional<double>& share,
                       const std::optional<runs::Interval>& interval);

// Recall, precision and AUC, a line a class.
std::string class_table(const runs::ClassificationScores& scores,
                        const std::vector<std::string>& classes);
// What probabilities were given, and what happened, a line for each tenth that has records.
std::string reliability_table(const runs::Reliability& reliability,
                              const std::vector<std::string>& classes);
// Truth by prediction.
std::string confusion_table(const runs::ConfusionMatrix& confusion,
                            const std::vector<std::string>& classes);

}  // namespace sotto::cli
