// Draws the batches that the plan promises.
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/core/random.h"
#include "sotto/plan/plan.h"

namespace sotto {

class BatchSampler {
 public:
  // `random` must outlive the sampler.
  BatchSampler(const Plan& plan, RandomSource& random);

  // The record numbers of the next logical batch, in increasing order except for shuffled passes.
  // With Poisson sampling any number of them, none included; each record is in it independently
  // with probability exactly plan.sample_rate() (64-bit comparison).
  std::vector<std::int64_t> draw();

 private:
  std::vector<std::int64_t> draw_poisson();
  std::vector<std::int64_t> draw_fixed_size();
  std::vector<std::int64_t> next_of_pass();
  std::int64_t below(std::int64_t limit);

  accounting::Sampling sampling_;
  std::int64_t dataset_size_;
  std::int64_t batch_size_;
  double sample_rate_;
  RandomSource* random_;
  std::vector<std::int64_t> order_;  // of the current pass, or scratch
  std::size_t next_ = 0;
};

}  // namespace sotto
