// All that is wrong with a schema, at once.
#pragma once

#include <string>
#include <vector>

#include "core/shallow_json.h"
#include "data/csv_schema.h"

namespace sotto::data {

// A schema is nested no deeper.
constexpr int kSchemaDepth = 4;
// In place of a type, or of the label: nobody has said yet what it is.
constexpr const char* kToDeclare = "?";

struct SchemaProblem {
  std::vector<std::string> path;  // keys that lead to it, from the root: {"columns", "age", "low"}
  std::string column;             // the table's column that it is about, if it is about one
  std::string text;
  bool to_declare = false;  // a place that is still to be filled in, as kToDeclare says

  // "name: text" or "name, column 'age': text".
  std::string message(const std::string& name) const;
};

struct SchemaReading {
  CsvSchema schema;                 // complete if there are no problems; else what could be read
  std::vector<std::string> unread;  // columns that it names and has a problem with
  std::vector<SchemaProblem> problems;
};

SchemaReading read_schema(const Json& root);

}  // namespace sotto::data
