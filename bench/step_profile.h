// Where the time of a training step goes, by path.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "train/step_path.h"
#include "train/workload.h"

namespace sotto::bench {

// Milliseconds of a step, on average over some: ms (whole), forward, gradients, noise, optimizer,
// other. Fused kernels have no forward part of their own; plain LibTorch's backward pass and
// optimizer are `other`. Null if the network cannot take the path.
nlohmann::json profile_step(train::StepPath path, train::Workload& workload);

// A line of a table, and what is above the first.
void print_profile_head();
void print_profile(const std::string& name, const train::Workload& workload, train::StepPath path,
                   const nlohmann::json& profile);

}  // namespace sotto::bench
