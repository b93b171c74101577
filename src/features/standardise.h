// Maps of features on one scale, sample by sample.
#pragma once

#include <cstdint>

namespace sotto::features {

// Each group of neighbouring channels, to mean 0 and variance 1.
struct StandardisedGroups {
  std::int64_t per_sample;  // groups
  std::int64_t size;        // values of one
};

// maps (count, groups.per_sample, groups.size), in place: x <- (x - mean) / sqrt(variance + 1e-5)
// within each group, as GroupNorm does without weights (arXiv:1803.08494). A group's values do not
// depend on other groups, on its place, or on the threads, bit for bit.
void standardise(float* maps, std::int64_t count, const StandardisedGroups& groups, int threads);

}  // namespace sotto::features
