// The area under the ROC curve: how likely a record of a class is ranked above one of another.
#pragma once

#include <optional>
#include <vector>

#include "runs/scored_records.h"
#include "runs/share_interval.h"

namespace sotto::runs {

struct RankingAuc {
  double value = 0;  // of two classes; of more: the mean of one class against the rest
  // DeLong, DeLong and Clarke-Pearson 1988 on the logit scale. Of a mean: each record with its part
  // in every term. Where no rank varies, which leaves no variance: Clopper-Pearson of as many
  // disjoint pairs as the classes allow. Nothing for a class with a single record.
  std::optional<Interval> interval = {};
  // Of more than two classes: each against the rest; nothing for one that has no records.
  std::vector<std::optional<double>> by_class = {};
};

// Ties count half. Nothing if there are not records of two classes, or a score is not finite.
std::optional<RankingAuc> ranking_auc(const ScoredRecords& records);

}  // namespace sotto::runs
