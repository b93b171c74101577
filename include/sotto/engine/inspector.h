// Is this model fit for private training, and if not, why not?
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/container/sequential.h>

#include <functional>
#include <string>
#include <vector>

#include "sotto/grad/grad.h"

namespace sotto {

// One thing that stands in the way.
struct Finding {
  std::string module;  // its name in the model, e.g. "features.3"; "" for the model itself
  std::string reason;
  std::string remedy;

  std::string text() const;
};

// Looks at the modules without running them. Empty means that nothing is known to be wrong; what
// only shows when the model runs (operations that mix samples) is found at the first step.
std::vector<Finding> check(const torch::nn::Module& model);
// Throws InvalidArgument with the first finding.
void require_compatible(const torch::nn::Module& model);

struct CompatibleModel {
  torch::nn::Sequential model;
  std::vector<std::string> changes;  // one sentence each
};

// A copy in which every BatchNorm is a GroupNorm of gcd(32, channels) groups, InstanceNorms keep no
// running statistics, and embeddings do not scale gradients by frequency. All other modules are
// shared with the original. A class of your own that holds a BatchNorm in a member cannot be
// changed from outside in C++: check() names it, and says what to write in its place.
CompatibleModel make_compatible(const torch::nn::Sequential& model);

// How far the engine's per-sample gradients are from those of a loop over batches of one.
struct SelfcheckReport {
  std::int64_t samples = 0;
  double largest_loss_difference = 0;      // relative
  double largest_gradient_difference = 0;  // relative to that sample's largest entry
  std::string worst_parameter;

  bool passed() const;
  std::string text() const;
};

// Per-sample losses (n) of samples begin..begin+n-1 of a real batch. Must not depend on anything
// random: put dropout into evaluation mode.
using LossesOfRange = std::function<at::Tensor(std::int64_t begin, std::int64_t n)>;

// Also finds what no look at the graph can: statistics of the batch that enter as constants.
SelfcheckReport selfcheck(const LossesOfRange& losses_of, std::int64_t samples,
                          const std::vector<grad::NamedParameter>& parameters);

}  // namespace sotto
