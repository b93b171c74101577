// The ways to make one training step.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/works.h"

namespace sotto::bench {

// plain             LibTorch without privacy
// materialised      every per-sample gradient written out, then clipped: as Opacus' hooks do
// graph             PrivacyEngine on the autograd graph
// fused             PrivacyEngine with fused kernels
// fused-nonprivate  fused kernels without privacy
const std::vector<std::string>& path_names();

// One call is one step: gradients, noise where it is private, SGD. Null if the work cannot take
// that path. The work must outlive it.
std::function<void()> make_path(const std::string& name, Work& work);

}  // namespace sotto::bench
