#include "plan/batch_sampler.h"

#include <algorithm>
#include <numeric>

#include "core/distributions.h"

namespace sotto {

using accounting::Sampling;

BatchSampler::BatchSampler(const Plan& plan, RandomSource& random)
    : sampling_(plan.options().sampling),
      dataset_size_(plan.dataset_size()),
      batch_size_(plan.batch_size()),
      sample_rate_(plan.sample_rate()),
      random_(&random) {}

std::vector<std::int64_t> BatchSampler::draw() {
  switch (sampling_) {
    case Sampling::kPoisson:
      return draw_poisson();
    case Sampling::kFixedSize:
      return draw_fixed_size();
    case Sampling::kShuffled:
      return next_of_pass();
    case Sampling::kNone:
      break;
  }
  std::vector<std::int64_t> all(dataset_size_);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<std::int64_t> BatchSampler::draw_poisson() {
  const Bernoulli included(sample_rate_);
  std::vector<std::int64_t> batch;
  for (std::int64_t record = 0; record < dataset_size_; ++record) {
    if (included(*random_)) batch.push_back(record);
  }
  return batch;
}

// Uniform on {0, ..., limit - 1}, without bias: the incomplete last range is drawn again.
std::int64_t BatchSampler::below(std::int64_t limit) {
  const auto range = static_cast<std::uint64_t>(limit);
  const std::uint64_t accepted = RandomSource::max() - RandomSource::max() % range;
  std::uint64_t bits = (*random_)();
  while (bits >= accepted) bits = (*random_)();
  return static_cast<std::int64_t>(bits % range);
}

// The first batch_size places of a Fisher-Yates shuffle. The order left behind is as good a start
// for the next draw as any.
std::vector<std::int64_t> BatchSampler::draw_fixed_size() {
  if (order_.empty()) {
    order_.resize(dataset_size_);
    std::iota(order_.begin(), order_.end(), 0);
  }
  for (std::int64_t i = 0; i < batch_size_; ++i) {
    std::swap(order_[i], order_[i + below(dataset_size_ - i)]);
  }
  std::vector<std::int64_t> batch(order_.begin(), order_.begin() + batch_size_);
  std::sort(batch.begin(), batch.end());
  return batch;
}

std::vector<std::int64_t> BatchSampler::next_of_pass() {
  if (next_ == order_.size()) {
    order_.resize(dataset_size_);
    std::iota(order_.begin(), order_.end(), 0);
    for (std::int64_t i = dataset_size_ - 1; i > 0; --i) std::swap(order_[i], order_[below(i + 1)]);
    next_ = 0;
  }
  const auto size = std::min<std::size_t>(batch_size_, order_.size() - next_);
  const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(next_);
  next_ += size;
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

}  // namespace sotto
