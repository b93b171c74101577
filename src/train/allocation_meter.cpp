#include "train/allocation_meter.h"

#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>
#include <malloc.h>

#include <atomic>
#include <stdexcept>

#include "grad/libtorch/allocator.h"

namespace sotto::train {
namespace {

std::atomic<std::int64_t> live_now{0};
std::atomic<std::int64_t> most_live{0};

void free_counted(void* memory) {
  live_now.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(memory)));
  c10::free_cpu(memory);
}

// Tensors may outlive the meter: this object, and the function that frees them, stay.
class CountingAllocator final : public grad::CpuAllocator {
 public:
  c10::DataPtr allocated(std::size_t bytes) const override {
    void* memory = c10::alloc_cpu(bytes);
    if (memory == nullptr) return {nullptr, nullptr, &free_counted, c10::Device(c10::kCPU)};
    const auto size = static_cast<std::int64_t>(malloc_usable_size(memory));
    const auto now = live_now.fetch_add(size) + size;
    auto before = most_live.load();
    while (now > before && !most_live.compare_exchange_weak(before, now)) {
    }
    return {memory, memory, &free_counted, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr deleter() const override { return &free_counted; }
};

constexpr std::uint8_t kAboveDefault = 100;  // LibTorch ignores allocators of lower priority

CountingAllocator counting;
c10::Allocator* replaced = nullptr;

}  // namespace

AllocationMeter::AllocationMeter() {
  if (replaced != nullptr) throw std::logic_error("there is an allocation meter already");
  replaced = c10::GetCPUAllocator();
  c10::SetCPUAllocator(&counting, kAboveDefault);
  reset_peak();
}

AllocationMeter::~AllocationMeter() {
  c10::SetCPUAllocator(replaced, kAboveDefault);
  replaced = nullptr;
}

std::int64_t AllocationMeter::live() const { return live_now.load(); }
std::int64_t AllocationMeter::peak() const { return most_live.load(); }
void AllocationMeter::reset_peak() { most_live.store(live_now.load()); }

}  // namespace sotto::train
