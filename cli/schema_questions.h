// Asking, column by column, what a table holds.
#pragma once

#include "data/schema_draft.h"

namespace sotto::cli {

// Asks about every column that is not complete, on standard error. An empty answer leaves a column
// for later. Throws UsageError if the input ends.
void ask_about_columns(data::SchemaDraft& draft);

}  // namespace sotto::cli
