// What `sotto anonymity` prints and writes.
#pragma once

#include <string>

#include "cli/anonymity_request.h"

namespace sotto::cli {

// What was measured, which groups fail, and what all this does not protect against.
std::string anonymity_text(const AnonymityRequest& request, const anonymity::Measures& measures);
std::string anonymity_json(const AnonymityRequest& request, const anonymity::Measures& measures);

// Likewise for a table that was written.
std::string release_text(const AnonymityRequest& request, const anonymity::Anonymised& released);
std::string release_json(const AnonymityRequest& request, const anonymity::Anonymised& released);

// The table as CSV, with the separator of the one that it was made from.
std::string csv_text(const anonymity::Table& table, char separator);

}  // namespace sotto::cli
