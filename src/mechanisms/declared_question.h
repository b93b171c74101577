// Whether a question can be meant, as far as types of columns are declared.
#pragma once

#include "sotto/mechanisms/table_query.h"

namespace sotto::mechanisms {

// Conditions check themselves. Neither looks at a record.

// Throws InvalidArgument, beginning with "declared", if numbers are asked of a column that was
// declared to hold something else, or parts of one that it cannot have; beginning with "bins" or
// "bounds", if a bin holds no number of the declared range, or all of its numbers would count as
// one: a mistake, whatever lies outside the range.
void check_declared(const QueryOptions& options);

// Throws UndeclaredColumn if numbers are asked of a column that nothing declares.
void require_declared(const QueryOptions& options);

}  // namespace sotto::mechanisms
