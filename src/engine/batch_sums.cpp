#include "engine/batch_sums.h"

namespace sotto {
namespace {

std::vector<at::Tensor> tensors_of(const std::vector<grad::NamedParameter>& parameters) {
  std::vector<at::Tensor> tensors;
  for (const auto& parameter : parameters) tensors.push_back(parameter.tensor);
  return tensors;
}

}  // namespace

void BatchSums::restart(const std::vector<double>& bounds) {
  if (exact_) {
    exact_->restart(bounds);
  } else {
    exact_.emplace(tensors_of(parameters_), bounds);
  }
  counts_ = {};
}

void BatchSums::add(const grad::PerSampleGradients& gradients, const at::Tensor& factors,
                    const std::vector<std::int64_t>& chain_ends) {
  used_libtorch_ = true;
  gradients.add_to(*exact_, factors, chain_ends);
}

void BatchSums::count(const ClipCounts& counts, std::int64_t samples) {
  counts_.samples += samples;
  counts_.unclipped += counts.unclipped;
  counts_.clipped += counts.clipped;
  counts_.discarded += counts.discarded;
}

}  // namespace sotto
