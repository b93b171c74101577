#include "engine/batch_queue.h"

#include <ATen/ATen.h>

#include <stdexcept>
#include <utility>

#include "plan/blocks.h"
#include "sotto/core/error.h"

namespace sotto {
namespace {

using at::Tensor;

// Of samples whose sum is made in float.
constexpr std::int64_t kLongestChain = 64;

// Samples through the model at once: whole chains, so that the sum is the same whatever the limit.
std::vector<BatchPart> cut_into_parts(const ChainedRecords& batch, std::int64_t at_most) {
  std::vector<BatchPart> parts;
  const Tensor records = at::tensor(batch.records, at::kLong);
  std::int64_t begin = 0;
  std::vector<std::int64_t> ends;
  for (std::size_t i = 0; i < batch.chain_ends.size(); ++i) {
    const std::int64_t end = batch.chain_ends[i];
    ends.push_back(end - begin);
    const bool last = i + 1 == batch.chain_ends.size();
    if (!last && (at_most == 0 || batch.chain_ends[i + 1] - begin <= at_most)) continue;
    parts.push_back({records.narrow(0, begin, end - begin), std::move(ends)});
    ends.clear();
    begin = end;
  }
  return parts;
}

}  // namespace

BatchQueue::BatchQueue(const Plan& plan, RandomSource& random, std::int64_t physical_batch)
    : plan_(plan), random_(random), physical_batch_(physical_batch), sampler_(plan, random) {}

void BatchQueue::draw() {
  // Chains that are shorter would be many in a block; single samples move no others.
  const bool long_chains = physical_batch_ == 0 || physical_batch_ >= kLongestChain;
  const std::int64_t chain = long_chains ? kLongestChain : 1;
  parts_ = cut_into_parts(in_blocks(sampler_.draw(), plan_, chain, random_), physical_batch_);
  next_part_ = 0;
}

Batch BatchQueue::hand_out() {
  waiting_ = true;
  const Tensor& records = parts_[next_part_++].records;
  return {records, is_exhausted()};
}

Batch BatchQueue::hand_out_empty() {
  empty_ = true;
  return {at::empty({0}, at::kLong), true};
}

bool BatchQueue::take_empty() { return std::exchange(empty_, false); }

std::int64_t BatchQueue::waiting_samples() const {
  if (empty_) return 0;
  if (!waiting_) {
    throw std::logic_error("no batch is waiting: each batch from next_batch() may be used once");
  }
  return part_in_work().records.size(0);
}

void BatchQueue::forget() {
  parts_.clear();
  next_part_ = 0;
  waiting_ = false;
}

// Without a record a batch has one sample less, and LibTorch's kernels, which are chosen by a
// batch's size and treat its places differently, may round all other samples otherwise: for data
// made for it, by any number of bounds.
void BatchQueue::require_fixed_sizes() const {
  check_argument(
      plan_.neighbours().relation() != accounting::Relation::kAddRemove || physical_batch_ == 1,
      "add-remove: LibTorch's kernels may round the other samples differently without a "
      "record; expected zero-out, which costs the same ε, fused kernels, or physical "
      "batches of 1");
}

}  // namespace sotto
