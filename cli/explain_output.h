// What `sotto explain` answers.
#pragma once

#include <string>

#include "cli/explain_request.h"

namespace sotto::cli {

std::string human_text(const ExplainRequest& request);
std::string json_text(const ExplainRequest& request);
// The curve as the bytes of an SVG file. Beside a run's own curve stands that of its pair.
std::string picture(const ExplainRequest& request);

}  // namespace sotto::cli
