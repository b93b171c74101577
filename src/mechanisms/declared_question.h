// Whether a question can be meant, as far as types of columns are declared.
#pragma once

#include "sotto/mechanisms/table_query.h"

namespace sotto::mechanisms {

// Throws InvalidArgument, beginning with "declared", if numbers are asked of a column that was
// declared to hold something else, or parts of one that it cannot have. (Conditions check
// themselves.)
void check_declared(const QueryOptions& options);

}  // namespace sotto::mechanisms
