// What the flags of `sotto schema init` declare of columns.
#pragma once

#include <string>
#include <vector>

#include "cli/flags.h"
#include "data/schema_draft.h"

namespace sotto::cli {

struct SchemaFlags {
  std::vector<std::string> number, integer, date;  // NAME=LOW:HIGH
  std::vector<std::string> category, label;        // NAME=a,b,c
  std::vector<std::string> id, person, ignore;     // NAME
  std::vector<std::string> missing, other;         // NAME
  FlagText decimal, missing_values;

  void declare(FlagSet& app);
};

// What stands behind NAME=, or alone, for one column: "LOW:HIGH" or "a,b,c". Throws UsageError,
// naming `flag`, if it is nothing of the kind.
void set_range(const std::string& flag, const std::string& text, data::ColumnDraft& column);
void set_values(const std::string& flag, const std::string& text, data::ColumnDraft& column);

// Puts the flags into the draft. A column without a range or values may be left to a public sample
// if there is one. Throws UsageError for a column that the table does not have, that is declared
// twice, or that the flag does not fit.
void apply(const SchemaFlags& flags, bool has_sample, data::SchemaDraft& draft);

// ',', ';' or a tab, by sign or name. Throws UsageError, naming `flag`, for others.
char separator_flag(const std::string& flag, const std::string& text);

}  // namespace sotto::cli
