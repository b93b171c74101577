// Which parameters are clipped together (dp-GAN, arXiv:1801.01594, Algorithm 2).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sotto/engine/privacy_engine.h"

namespace sotto::gan {

// Starts with a group for each parameter, whose bound is bounds[p] > 0, and joins the two groups
// whose bounds are most alike (smallest ratio) until `count` are left; the bound of a joined group
// is the norm of its two. Weights and biases, told by the end of their names, stay apart as long as
// there is a pair of one kind to join. Throws InvalidArgument unless 1 <= count <= parameters.
std::vector<ClipGroup> cluster_parameters(const std::vector<double>& bounds,
                                          const std::vector<std::string>& names,
                                          std::int64_t count);

}  // namespace sotto::gan
