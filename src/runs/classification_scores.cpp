#include "runs/classification_scores.h"

namespace sotto::runs {

ClassificationScores classification_scores(const ConfusionMatrix& confusion,
                                           const ScoredRecords& records) {
  return {confusion_scores(confusion), ranking_auc(records), reliability(records)};
}

}  // namespace sotto::runs
