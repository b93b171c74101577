// The plan's one-time releases: sums over all records beside the steps.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "engine/charges.h"
#include "engine/noise.h"
#include "sotto/plan/plan.h"

namespace sotto {

// The noised sum of rows (n, d), one for each record: see PrivacyEngine::release.
at::Tensor release_once(const std::string& name, const at::Tensor& rows, const Plan& plan,
                        Charges& charges, Noise& noise);

}  // namespace sotto
