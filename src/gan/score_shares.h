// How real a sample looks to what a run has learned of records.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

#include "gan/gan_run.h"
#include "train/tensor_data.h"

namespace sotto::gan {

// Scores of samples with labels as shares in (0, 1).
using ScoreShares = std::function<at::Tensor(const train::TensorData&)>;

// By the critic of a dp-GAN run. Throws InvalidArgument if it is damaged.
ScoreShares critic_shares(const GanRun& run, const GeneratorCard& card);

// By the witness of the released embedding against the generated one, in units of its spread.
ScoreShares witness_shares(const GanRun& run, const GeneratorCard& card,
                           const train::TensorData& generated);

}  // namespace sotto::gan
