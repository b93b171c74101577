// The search for a threshold before every epoch, by the sparse vector technique.
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/core/random.h"
#include "sotto/plan/plan.h"

namespace sotto {

// Looks at the norms of one batch that is drawn for it. It must be charged before it is finished.
class ThresholdSearch {
 public:
  // The plan, which must be one that searches, must outlive it.
  explicit ThresholdSearch(const Plan& plan) : plan_(plan) {}

  // Whether the step after `steps` belongs to an epoch whose threshold was not found yet.
  bool is_due(std::int64_t steps) const;
  // From here on batches are for the search, until it is finished.
  void start() { running_ = true; }
  bool is_running() const { return running_; }

  // Another batch: norms seen before do not count.
  void forget_norms() { norms_.clear(); }
  // Of samples that were not counted yet.
  void add(const std::vector<double>& norms);

  // The threshold for the epoch of the step after `steps`.
  double finish(std::int64_t steps, RandomSource& random);

  // The epoch whose threshold was found last, counted from 0; -1 before the first.
  std::int64_t epoch() const { return epoch_; }
  void restore_epoch(std::int64_t epoch) { epoch_ = epoch; }

 private:
  const Plan& plan_;
  bool running_ = false;
  std::int64_t epoch_ = -1;
  std::vector<double> norms_;
};

}  // namespace sotto
