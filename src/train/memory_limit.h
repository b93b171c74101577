// How many samples may go through the model at once, so that the process stays within its limit.
#pragma once

#include <cstdint>
#include <vector>

namespace sotto::train {

struct TrainingState;

// The configuration's physical batch if it has no memory limit. Else the largest that is predicted
// to fit (train/step_memory.h) beside what is `held` already, with a tenth to spare. `held` must
// follow from public sizes: what the process really takes depends on the records, and the answer
// decides how sums are cut. Throws InvalidArgument, naming the least limit, if not even one sample
// fits.
std::int64_t max_physical_batch_size_of(const TrainingState& state,
                                        const std::vector<std::int64_t>& sample_shape,
                                        std::int64_t held);

}  // namespace sotto::train
