// How the columns of a table become the inputs of a model.
#pragma once

#include <filesystem>

namespace sotto::cli {

// Prints what the schema declares, and which inputs each column becomes. Of the table, its line of
// column names is read. Throws InvalidArgument if they do not fit the schema, and as
// data::read_csv_schema does.
void show_table(const std::filesystem::path& table, const std::filesystem::path& schema, bool json);

}  // namespace sotto::cli
