// google/rappor's params.csv: the header "k,h,m,p,q,f" and one row.
#pragma once

#include <string>
#include <string_view>

#include "sotto/rappor/params.h"

namespace sotto::rappor {

// `name` is what errors call the text. Throws InvalidArgument with the line at fault.
Params parse_params(std::string_view text, const std::string& name);

// Probabilities are written so that they read back exactly.
std::string format_params(const Params& params);

}  // namespace sotto::rappor
