// LibTorch's interface of allocators: allocate() is const in older releases and is not in later
// ones, which also want copy_data().
#pragma once

#include <c10/core/Allocator.h>

#include <cstddef>
#include <cstring>

namespace sotto::grad {

// Memory of the CPU. What is virtual in LibTorch's class differs, so nothing says `override`.
// NOLINTBEGIN(modernize-use-override, cppcoreguidelines-explicit-virtual-functions)
class CpuAllocator : public c10::Allocator {
 public:
  virtual c10::DataPtr allocated(std::size_t bytes) const = 0;
  virtual c10::DeleterFnPtr deleter() const = 0;

  c10::DataPtr allocate(std::size_t bytes) const { return allocated(bytes); }
  c10::DataPtr allocate(std::size_t bytes) { return allocated(bytes); }
  c10::DeleterFnPtr raw_deleter() const { return deleter(); }
  void copy_data(void* to, const void* from, std::size_t bytes) const {
    std::memcpy(to, from, bytes);
  }
};
// NOLINTEND(modernize-use-override, cppcoreguidelines-explicit-virtual-functions)

}  // namespace sotto::grad
