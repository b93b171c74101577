// How much memory tensors take.
#pragma once

#include <cstdint>

namespace sotto::train {

// Counts LibTorch's allocations on the CPU, from its construction on. While it lives it stands
// between LibTorch and its allocator, at a cost of a few nanoseconds per allocation. Only one may
// live at a time: the constructor throws std::logic_error if there is another.
class AllocationMeter {
 public:
  AllocationMeter();
  ~AllocationMeter();
  AllocationMeter(const AllocationMeter&) = delete;
  AllocationMeter& operator=(const AllocationMeter&) = delete;

  // Bytes of tensors that were made under a meter, this or an earlier one, and still exist.
  std::int64_t live() const;
  // The most that live() has been since the last reset.
  std::int64_t peak() const;
  void reset_peak();
};

}  // namespace sotto::train
