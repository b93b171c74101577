// Whether a classifier's probabilities mean what they say.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runs/scored_records.h"
#include "runs/share_interval.h"

namespace sotto::runs {

// Records that were given a probability within a tenth.
struct ReliabilityBin {
  double from = 0;
  double to = 0;  // excluded, but for the last
  std::int64_t records = 0;
  std::int64_t happened = 0;    // of them: the class was the true one
  double mean_probability = 0;  // 0 of no records

  std::optional<double> observed() const;
  std::optional<Interval> interval() const;  // of what is observed, Clopper-Pearson
};

// Of two classes: the probability of the second. Of more: of the class that was predicted.
struct Reliability {
  std::vector<ReliabilityBin> bins = {};  // ten of equal width
  // Mean distance of probability and observed share over bins, weighted by records (Naeini, Cooper
  // and Hauskrecht 2015). Above 0 for a perfect model, too, as long as records are finite.
  double expected_error = 0;
  // Mean squared error of the probabilities (Brier 1950): of two classes (p - y)², from 0 to 1; of
  // more summed over classes, from 0 to 2.
  double brier = 0;
  double log_loss = 0;  // mean of -ln p of the true class
};

// Nothing of no records, or if a score is not finite.
std::optional<Reliability> reliability(const ScoredRecords& records);

}  // namespace sotto::runs
