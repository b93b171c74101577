// Autograd functions of this library's own that keep samples apart.
#pragma once

#include <string>

namespace sotto::grad {

// `node_name`: what autograd calls the function's node. Of one output, which has the shape of each
// of its inputs; an entry depends on entries of the same sample alone, and samples lie along the
// first axis. Returns true, for static initialisation.
bool declare_sample_by_sample(const std::string& node_name);

bool is_sample_by_sample(const std::string& node_name);

}  // namespace sotto::grad
