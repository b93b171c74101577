// The beginning of a schema: a table's column names.
#pragma once

#include <filesystem>
#include <string>

#include "data/schema_draft.h"

namespace sotto::data {

// Nothing is declared yet. Of the table, its first line is read and nothing else. Throws
// InvalidArgument for names that are not UTF-8, or that two columns have; as open_csv_file() does.
SchemaDraft draft_from_header(const std::filesystem::path& table, char separator);

// As schemas are written.
bool is_utf8(const std::string& text);

}  // namespace sotto::data
