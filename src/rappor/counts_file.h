// google/rappor's counts: one row per cohort, the number of its reports and then the count of every
// bit from bit 0 on; no header.
#pragma once

#include <string>
#include <string_view>

#include "rappor/counts.h"

namespace sotto::rappor {

// Throws InvalidArgument, with the line at fault, unless there are m rows of k + 1 whole numbers,
// no bit counted more often than the cohort has reports, and the last row ends with a line break (a
// number cut short would go unnoticed).
Counts parse_counts(std::string_view text, const Params& params, const std::string& name);

std::string format_counts(const Counts& counts);

}  // namespace sotto::rappor
