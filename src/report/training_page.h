// The page of a run, from its record.
#pragma once

#include <string>

#include "runs/run_record.h"

namespace sotto::report {

// The same record gives the same bytes.
std::string training_report_html(const runs::RunRecord& run);

}  // namespace sotto::report
