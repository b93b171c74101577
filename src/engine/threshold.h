// The clipping threshold C, and how it follows the data.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/batch_sums.h"
#include "engine/noise.h"
#include "engine/threshold_search.h"
#include "sotto/plan/plan.h"

namespace sotto {

// Fixed, unless the plan's clipping is adaptive or searched.
class Threshold {
 public:
  // The plan must outlive it.
  explicit Threshold(const Plan& plan);

  // In use now.
  double norm() const { return norm_; }

  // After a step on a batch with these counts: moves the threshold if it is adaptive. The noise is
  // part of the plan's multiplier.
  void follow(const BatchCounts& counts, Noise& noise);

  // Null unless the threshold is searched for.
  ThresholdSearch* search() { return search_ ? &*search_ : nullptr; }
  bool is_being_searched() const { return search_ && search_->is_running(); }
  // Takes what the search finds after `steps` steps. The search must be charged by then.
  void finish_search(std::int64_t steps, RandomSource& random);

  // Whether the plan allows this threshold at some time of a run.
  bool can_be(double norm) const;
  // REQUIRES: can_be(norm).
  void restore_norm(double norm) { norm_ = norm; }
  // Its part of a checkpoint.
  void add_to(nlohmann::json& checkpoint) const;

 private:
  const Plan& plan_;
  double norm_;
  std::optional<ThresholdSearch> search_;
};

}  // namespace sotto
