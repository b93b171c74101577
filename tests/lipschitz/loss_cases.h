// Losses, scores and labels that one would pick to break a bound.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "sotto/lipschitz/losses.h"

namespace sotto::lipschitz {

struct LossCase {
  LossOptions options;
  std::int64_t classes;
};

// Every loss at small, usual and large values of everything.
std::vector<LossCase> loss_cases();

// Random directions at many scales, ties, zeros, and floats near their ends: (N, classes).
torch::Tensor awkward_scores(std::int64_t classes);

torch::Tensor random_labels(std::int64_t samples, std::int64_t classes);

}  // namespace sotto::lipschitz
