#include "engine/clip_groups.h"

#include <algorithm>

#include "sotto/core/error.h"
#include "sotto/plan/plan.h"

namespace sotto {

ClipGroups::ClipGroups(const std::vector<ClipGroup>& groups, std::int64_t expected,
                       std::size_t parameters) {
  check_argument(static_cast<std::int64_t>(groups.size()) == expected, "clip groups: got ",
                 groups.size(), ", the plan has ", expected);
  constexpr std::int64_t kNone = -1;
  group_of_.assign(parameters, kNone);
  for (const auto& group : groups) {
    check_argument(group.bound >= kLeastNorm && group.bound <= kLargestNorm,
                   "clip groups: a bound must be from 1e-12 to 1e12, got ", group.bound);
    for (const auto p : group.parameters) {
      check_argument(p < parameters && group_of_[p] == kNone, "clip groups: parameter ", p,
                     " is not one of ", parameters, ", or in two groups");
      group_of_[p] = static_cast<std::int64_t>(bounds_.size());
    }
    bounds_.push_back(group.bound);
  }
  check_argument(std::find(group_of_.begin(), group_of_.end(), kNone) == group_of_.end(),
                 "clip groups: a parameter is in none");
}

std::vector<double> ClipGroups::bounds_of_parameters() const {
  std::vector<double> bounds;
  for (const auto group : group_of_) bounds.push_back(bounds_[static_cast<std::size_t>(group)]);
  return bounds;
}

}  // namespace sotto
