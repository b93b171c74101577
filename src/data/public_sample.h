// Ranges and categories from rows that are public.
#pragma once

#include <filesystem>
#include <istream>
#include <string>

#include "data/schema_draft.h"

namespace sotto::data {

// A text column with more different values than this is no category.
constexpr std::size_t kMostCategories = 50;

// Completes the columns of the draft by what the rows under the header of `sample` show. A column
// of a declared kind gets the least and the greatest value, or all values in alphabetical order; an
// undeclared one becomes an integer, a number, a date or a category, whichever all of its values
// fit, and stays undeclared if none do, if there is but one value, or if the text differs in more
// than kMostCategories ways. A field without a value makes a column `missing`. Columns that are
// complete stay as they are. Each that was completed says so (from_sample).
//
// THE ROWS MUST BE PUBLIC: what they hold goes into the schema, which is published.
// Throws InvalidArgument, naming `name`, if it is not CSV, or lacks a column that is not complete.
void complete_from_sample(std::istream& sample, const std::string& name, SchemaDraft& draft);

// The same from a CSV file. The draft notes which columns were completed from it. Throws as
// open_csv_file() does, too.
void complete_from_sample_file(const std::filesystem::path& sample, SchemaDraft& draft);

}  // namespace sotto::data
