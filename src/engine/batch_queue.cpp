#include "engine/batch_queue.h"

#include <ATen/ATen.h>

#include <cmath>
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
// Nobody's places come with the number of a record that was drawn: no other is looked at. Parts
// that are nobody's altogether add nothing, and are left out.
std::vector<BatchPart> cut_into_parts(const ChainedRecords& batch, std::int64_t at_most) {
  std::vector<BatchPart> parts;
  const Tensor places = at::tensor(batch.records, at::kLong);
  const Tensor is_drawn = places.ne(kNobody);
  std::int64_t begin = 0;
  std::vector<std::int64_t> ends;
  for (std::size_t i = 0; i < batch.chain_ends.size(); ++i) {
    const std::int64_t end = batch.chain_ends[i];
    ends.push_back(end - begin);
    const bool last = i + 1 == batch.chain_ends.size();
    if (!last && (at_most == 0 || batch.chain_ends[i + 1] - begin <= at_most)) continue;
    const Tensor records = places.narrow(0, begin, end - begin);
    const auto any = records.max().item<std::int64_t>();
    if (any != kNobody) {
      parts.push_back({records.masked_fill(records.eq(kNobody), any),
                       is_drawn.narrow(0, begin, end - begin), std::move(ends)});
    }
    ends.clear();
    begin = end;
  }
  return parts;
}

}  // namespace

BatchQueue::BatchQueue(const Plan& plan, RandomSource& random, std::int64_t max_physical_batch_size)
    : plan_(plan),
      random_(random),
      max_physical_batch_size_(max_physical_batch_size),
      sampler_(plan, random) {}

void BatchQueue::draw() {
  // Chains that are shorter would be many in a block; single samples move no others.
  const bool long_chains =
      max_physical_batch_size_ == 0 || max_physical_batch_size_ >= kLongestChain;
  const std::int64_t chain = long_chains ? kLongestChain : 1;
  const auto place = plan_.places() ? at_places : in_blocks;
  parts_ = cut_into_parts(place(sampler_.draw(), plan_, chain, random_), max_physical_batch_size_);
  next_part_ = 0;
}

Batch BatchQueue::hand_out() {
  waiting_ = true;
  const auto& part = parts_[next_part_++];
  return {part.records, part.is_drawn, is_exhausted()};
}

Batch BatchQueue::hand_out_empty() {
  empty_ = true;
  return {at::empty({0}, at::kLong), at::empty({0}, at::kBool), true};
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

// A batch of another size, or the same samples at other places, may be rounded differently: for
// data made for it, by any number of bounds.
void require_kept_places(const Plan& plan, std::int64_t max_physical_batch_size) {
  if (max_physical_batch_size == 1 || plan.places()) return;
  check_argument(plan.options().sampling != accounting::Sampling::kPoisson,
                 "LibTorch's kernels may round the other samples differently if one more is drawn; "
                 "expected a plan that fills its batches, fused kernels, or physical batches of 1");
  check_argument(plan.neighbours().adjacency() != accounting::Adjacency::kAddRemove,
                 "add-remove: LibTorch's kernels may round the other samples differently without a "
                 "record; expected zero-out, which costs the same ε, fused kernels, or physical "
                 "batches of 1");
}

Tensor Batch::rows_of(const Tensor& all) const {
  const Tensor nobody = is_drawn.logical_not().nonzero().squeeze(1);
  return all.index_select(0, indices).index_fill_(0, nobody, 0);
}

std::int64_t PartInWork::drawn() const { return is_drawn().sum().item<std::int64_t>(); }

Tensor PartInWork::of_drawn(const Tensor& values) const {
  return values.index_select(-1, is_drawn().nonzero().squeeze(1));
}

Tensor PartInWork::without_nobody(const Tensor& squared_norms) const {
  return squared_norms.masked_fill(is_drawn().logical_not(), std::nan(""));
}

std::vector<std::int64_t> PartInWork::chain_ends_of_drawn() const {
  std::vector<std::int64_t> ends;
  const bool* drawn = is_drawn().data_ptr<bool>();
  std::int64_t place = 0;
  std::int64_t count = 0;
  for (const auto end : chain_ends()) {
    for (; place < end; ++place) count += drawn[place] ? 1 : 0;
    if (count > (ends.empty() ? 0 : ends.back())) ends.push_back(count);
  }
  return ends;
}

}  // namespace sotto
