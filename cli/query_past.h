// What `sotto query status` and `sotto query answers` print.
#pragma once

#include <string>

#include "cli/query_request.h"
#include "queries/past_queries.h"

namespace sotto::cli {

std::string past_text(const PastRequest& request, const queries::PastQueries& past);
std::string past_json(const PastRequest& request, const queries::PastQueries& past);

}  // namespace sotto::cli
