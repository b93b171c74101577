// The logical batch in work: drawn as the plan says, handed out part by part.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "sotto/core/random.h"
#include "sotto/engine/privacy_engine.h"
#include "sotto/plan/batch_sampler.h"
#include "sotto/plan/plan.h"

namespace sotto {

// Samples that go through the model together.
struct BatchPart {
  at::Tensor records;                    // (n), int64
  std::vector<std::int64_t> chain_ends;  // how their sum is cut (see grad::ExactSums)
};

class BatchQueue {
 public:
  // Plan and `random` must outlive the queue. physical_batch: samples in a part at most; 0 means no
  // limit.
  BatchQueue(const Plan& plan, RandomSource& random, std::int64_t physical_batch);

  // Draws the next logical batch in place of the present one. Parts are cut by size alone.
  void draw();
  // True if no part of the logical batch is left to hand out.
  bool is_exhausted() const { return next_part_ == parts_.size(); }

  // The next part, which waits for its gradients from then on. Not for an exhausted queue.
  Batch hand_out();
  // A batch that nobody was drawn for, and that is stepped already.
  Batch hand_out_empty();
  // Whether that was handed out last; true once.
  bool take_empty();

  // A part was handed out, and its gradients are not in yet.
  bool is_waiting() const { return waiting_; }
  bool is_inside_batch() const { return waiting_ || !is_exhausted(); }
  // Samples of what was handed out last. Throws std::logic_error if it was used.
  std::int64_t waiting_samples() const;

  // The part handed out last.
  const BatchPart& part_in_work() const { return parts_[next_part_ - 1]; }
  // Its samples are used: they may not be added again.
  void mark_used() { waiting_ = false; }
  // The logical batch is done with, released or not.
  void forget();

  // Throws InvalidArgument where neighbouring data sets give parts of different sizes, and parts
  // may have more than one sample.
  void require_fixed_sizes() const;

 private:
  const Plan& plan_;
  RandomSource& random_;
  std::int64_t physical_batch_;
  BatchSampler sampler_;
  std::vector<BatchPart> parts_;
  std::size_t next_part_ = 0;
  bool waiting_ = false;
  bool empty_ = false;  // nobody is in what was handed out last
};

// What a gradient source sees of the queue.
class PartInWork {
 public:
  // The queue must outlive it, and a part of it must be waiting.
  explicit PartInWork(BatchQueue& queue) : queue_(queue) {}

  std::int64_t samples() const { return queue_.part_in_work().records.size(0); }
  const std::vector<std::int64_t>& chain_ends() const { return queue_.part_in_work().chain_ends; }
  // LibTorch's kernels are chosen by a batch's size: see BatchQueue.
  void require_fixed_size() const { queue_.require_fixed_sizes(); }

  // To be called before the first gradient is added: should adding fail, the part does not come
  // again.
  void mark_used() { queue_.mark_used(); }
  bool is_used() const { return !queue_.is_waiting(); }
  // Sums may hold some of the part: its logical batch ends here, uncharged and unreleased.
  void abandon_batch() { queue_.forget(); }

 private:
  BatchQueue& queue_;
};

}  // namespace sotto
