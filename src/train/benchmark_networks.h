// Networks that are measured, besides those of models::make_model(): they cannot be trained by
// name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "train/workload.h"

namespace sotto::train {

// wide-mlp     784-1024-1024-10
// vgg-head     25088-512-102
// lstm         128 wide, over 32 steps of 64 features
// transformer  one encoder layer of width 128, over 32 tokens
// Each has its own shape of samples and number of classes.
const std::vector<std::string>& benchmark_network_names();

// `scale` multiplies the width of wide-mlp's hidden layers. Throws InvalidArgument, naming what is
// accepted, for any other name.
Network make_benchmark_network(const std::string& name, std::int64_t scale = 1);

}  // namespace sotto::train
