// The logical batch in work: drawn as the plan says, handed out part by part.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "plan/batch_sampler.h"
#include "sotto/core/random.h"
#include "sotto/engine/privacy_engine.h"
#include "sotto/plan/plan.h"

namespace sotto {

// Samples that go through the model together.
struct BatchPart {
  at::Tensor records;                    // (n), int64
  at::Tensor is_drawn;                   // (n), bool
  std::vector<std::int64_t> chain_ends;  // how their sum is cut (see grad::ExactSums)
};

// For gradients by LibTorch's kernels, which may round a sample by its place and by how many there
// are. Throws InvalidArgument if these may depend on whether another record is drawn or there.
void require_kept_places(const Plan& plan, std::int64_t max_physical_batch_size);

class BatchQueue {
 public:
  // Plan and `random` must outlive the queue. max_physical_batch_size: samples in a part at most; 0
  // means no limit.
  BatchQueue(const Plan& plan, RandomSource& random, std::int64_t max_physical_batch_size);

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

  // See below.
  void require_kept_places() const { sotto::require_kept_places(plan_, max_physical_batch_size_); }

 private:
  const Plan& plan_;
  RandomSource& random_;
  std::int64_t max_physical_batch_size_;
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

  // Places, and how many of them are somebody's.
  std::int64_t samples() const { return queue_.part_in_work().records.size(0); }
  std::int64_t drawn() const;
  const at::Tensor& is_drawn() const { return queue_.part_in_work().is_drawn; }
  // values (..., n) for those who were drawn, in their order.
  at::Tensor of_drawn(const at::Tensor& values) const;
  // squared_norms (parameters, n), with nobody's made NaN: it is then clipped to nothing.
  at::Tensor without_nobody(const at::Tensor& squared_norms) const;
  // Where chains end if nobody's places are left out.
  std::vector<std::int64_t> chain_ends_of_drawn() const;
  const std::vector<std::int64_t>& chain_ends() const { return queue_.part_in_work().chain_ends; }
  void require_kept_places() const { queue_.require_kept_places(); }

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
