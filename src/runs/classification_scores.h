// All that is told of a classifier on test records that may be looked at.
#pragma once

#include <optional>

#include "runs/confusion_scores.h"
#include "runs/ranking_auc.h"
#include "runs/reliability.h"

namespace sotto::runs {

struct ClassificationScores {
  std::optional<ConfusionScores> counts = {};
  std::optional<RankingAuc> auc = {};
  std::optional<Reliability> reliability = {};
};

// `confusion` must be of the same records. Every part follows from test records without noise: not
// for publication where those are private.
ClassificationScores classification_scores(const ConfusionMatrix& confusion,
                                           const ScoredRecords& records);

}  // namespace sotto::runs
