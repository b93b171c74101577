#include "fused/workspace.h"

#include <algorithm>
#include <new>

#include "fused/matrix_kernels.h"

namespace sotto::fused {
namespace {

constexpr std::align_val_t kAlignment{64};
constexpr std::int64_t kLine = 16;  // floats

// Rounded up to whole cache lines, with room to read past the end.
std::int64_t roomy(std::int64_t count) { return (count + kSlack + kLine - 1) / kLine * kLine; }

std::int64_t scratch_size(const Network& network) {
  std::int64_t largest = 0;
  for (const auto& layer : network.layers()) largest = std::max(largest, layer->scratch_size());
  return largest;
}

std::int64_t tile_floats(const Network& network, std::int64_t samples) {
  std::int64_t total = roomy(samples * scratch_size(network));
  for (const auto& slot : network.slots()) {
    if (!slot.batch_values) total += roomy(samples * slot.size);
    if (!slot.batch_gradient) total += roomy(samples * slot.size);
  }
  for (const auto& layer : network.layers()) {
    total += roomy(samples * layer->kept_size());
    for (const auto& gradient : layer->written_gradients()) {
      total += roomy(samples * gradient.size);
    }
  }
  return total;
}

std::int64_t sum_floats(const Network& network) {
  std::int64_t total = 0;
  for (const auto& layer : network.layers()) {
    for (const auto& gradient : layer->written_gradients()) total += roomy(gradient.size);
  }
  return total;
}

}  // namespace

FloatBuffer::FloatBuffer(std::int64_t count) : size_(count) {
  const auto floats = static_cast<std::size_t>(count + kSlack);
  data_.reset(static_cast<float*>(::operator new(floats * sizeof(float), kAlignment)));
  std::fill_n(data_.get() + count, kSlack, 0.0F);
}

void FloatBuffer::Free::operator()(float* data) const { ::operator delete(data, kAlignment); }

BatchMemory::BatchMemory(const Network& network)
    : slots_(network.slots()), values_(slots_.size()), gradients_(slots_.size()) {}

void BatchMemory::reserve(std::int64_t samples) {
  if (samples <= capacity_) return;
  capacity_ = samples;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].batch_values) values_[i] = FloatBuffer(samples * slots_[i].size);
    if (slots_[i].batch_gradient) gradients_[i] = FloatBuffer(samples * slots_[i].size);
  }
}

std::int64_t BatchMemory::bytes_per_sample(const Network& network) {
  std::int64_t floats = 0;
  for (const auto& slot : network.slots()) {
    floats += (slot.batch_values ? slot.size : 0) + (slot.batch_gradient ? slot.size : 0);
  }
  return floats * static_cast<std::int64_t>(sizeof(float));
}

ThreadMemory::ThreadMemory(const Network& network, int parameters, std::int64_t tile_samples)
    : memory_(tile_floats(network, tile_samples)),
      sum_memory_(sum_floats(network)),
      panels_(Linear::kPanelScratch) {
  std::fill_n(memory_.data(), memory_.size(), 0.0F);  // also spreads pages over the thread's memory
  float* next = memory_.data();
  const auto take = [&](std::int64_t count) {
    float* here = next;
    next += roomy(tile_samples * count);
    return here;
  };
  for (const auto& slot : network.slots()) {
    values_.push_back(slot.batch_values ? nullptr : take(slot.size));
    gradients_.push_back(slot.batch_gradient ? nullptr : take(slot.size));
  }
  float* next_sum = sum_memory_.data();
  for (const auto& layer : network.layers()) {
    kept_.push_back(take(layer->kept_size()));
    for (const auto& gradient : layer->written_gradients()) {
      written_.push_back(take(gradient.size));
      sums_.push_back(next_sum);
      next_sum += roomy(gradient.size);
    }
  }
  scratch_ = take(scratch_size(network));
  norms_.resize(static_cast<std::size_t>(parameters * tile_samples));
  factors_.resize(norms_.size());
}

void ThreadMemory::clear_sums(Mode mode) {
  if (mode == Mode::kPrivate) {
    std::fill_n(reinterpret_cast<std::int32_t*>(sum_memory_.data()), sum_memory_.size(), 0);
  } else {
    std::fill_n(sum_memory_.data(), sum_memory_.size(), 0.0F);
  }
}
static_assert(sizeof(std::int32_t) == sizeof(float));

Tile& ThreadMemory::enter(const Network& network, const BatchMemory& batch, std::int64_t first,
                          Mode mode) {
  tile_.mode = mode;
  tile_.first = first;
  tile_.values = values_;
  tile_.gradients = gradients_;
  tile_.kept = kept_;
  tile_.scratch = scratch_;
  tile_.panels = panels();
  tile_.written = tile_.is_private() ? written_ : sums_;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const auto slot = static_cast<Slot>(i);
    const std::int64_t offset = first * network.slots()[i].size;
    if (values_[i] == nullptr) tile_.values[i] = batch.values(slot) + offset;
    if (gradients_[i] == nullptr) tile_.gradients[i] = batch.gradients(slot) + offset;
  }
  return tile_;
}

std::int64_t ThreadMemory::bytes_per_sample(const Network& network) {
  return tile_floats(network, 1) * static_cast<std::int64_t>(sizeof(float));
}

}  // namespace sotto::fused
