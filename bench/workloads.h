// The networks that training_bench measures, with the batch sizes they are measured at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "train/workload.h"

namespace sotto::bench {

// cnn, mlp, vgg-head, resnet20, lstm, transformer.
const std::vector<std::string>& workload_names();

// Throws InvalidArgument for a name that is not among those, as make_workload() does.
std::vector<std::int64_t> batch_sizes_of(const std::string& name);

// `scale` multiplies the width of the mlp's hidden layers.
train::Workload make_workload(const std::string& name, std::int64_t batch, std::int64_t scale = 1);

}  // namespace sotto::bench
