// How `sotto sweep` tells what came out.
#pragma once

#include <string>

#include "sweep/sweep_summary.h"

namespace sotto::cli {

std::string sweep_text(const sweep::SweepPlan& plan, const sweep::SweepSummary& summary,
                       const sweep::SweepFolder& folder);

}  // namespace sotto::cli
