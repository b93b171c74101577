// Gradient norms and batch sizes in a line of text.
#pragma once

#include <string>

#include "sotto/plan/norm_statistics.h"

namespace sotto::cli {

// E.g. "83.2 % of samples clipped, norms 0.41 / 1.9 / 7.2 (10 / 50 / 90 %) around C = 1,
// ▁▂▄▆▇|█▅▂·· (C/16 to 16 C), batches of 967 to 1071, mean 1023.4".
std::string norm_text(const NormSummary& norms);

}  // namespace sotto::cli
