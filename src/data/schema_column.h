// One column's entry in a schema.
#pragma once

#include <optional>

#include "data/schema_entry.h"

namespace sotto::data {

// Nothing if it does not say what kind of column it is; if something else is wrong, the rule means
// nothing. Either way the entry's problems say what.
std::optional<ColumnRule> read_column(const SchemaEntry& entry);

}  // namespace sotto::data
