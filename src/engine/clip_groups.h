// The parameters in groups, each with a bound of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/clip_rule.h"
#include "sotto/engine/privacy_engine.h"

namespace sotto {

class ClipGroups {
 public:
  // Throws InvalidArgument unless there are `expected` groups, each bound is from kLeastNorm to
  // kLargestNorm, and each of `parameters` parameters is in exactly one group.
  ClipGroups(const std::vector<ClipGroup>& groups, std::int64_t expected, std::size_t parameters);

  ClipRule rule() const { return {group_of_, bounds_}; }
  // For each parameter, that of its group.
  std::vector<double> bounds_of_parameters() const;

 private:
  std::vector<std::int64_t> group_of_;  // by parameter
  std::vector<double> bounds_;          // by group
};

}  // namespace sotto
