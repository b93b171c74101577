// How much memory tensors take, and this process.
#pragma once

#include <cstdint>

namespace sotto::train {

// Counts LibTorch's allocations on the CPU from its construction on. There is one at a time; while
// it lives it stands between LibTorch and its own allocator, and costs a few nanoseconds each.
class AllocationMeter {
 public:
  AllocationMeter();
  ~AllocationMeter();
  AllocationMeter(const AllocationMeter&) = delete;
  AllocationMeter& operator=(const AllocationMeter&) = delete;

  // Bytes in tensors made since, and not yet gone.
  std::int64_t live() const;
  // The most of that since the last reset.
  std::int64_t peak() const;
  void reset_peak();
};

// Bytes that malloc has handed out in all, tensors included.
std::int64_t allocated_bytes();
// Bytes of this process that are in memory now.
std::int64_t resident_bytes();
// The most that ever were.
std::int64_t peak_resident_bytes();

}  // namespace sotto::train
