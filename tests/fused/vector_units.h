// Kernels of every vector unit that this machine has, down to none.
#pragma once

#include <hwy/highway.h>

#include <cstdint>
#include <string>

namespace sotto::fused {

// Calls check(name) with only that unit's kernels in use; returns how many there are.
template <typename Check>
int on_every_vector_unit(const Check& check) {
  int units = 0;
  for (auto left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1, ++units) {
    const std::int64_t target = left & -left;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    check(std::string(hwy::TargetName(target)));
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return units;
}

}  // namespace sotto::fused
