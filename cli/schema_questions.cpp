#include "cli/schema_questions.h"

#include <iostream>

#include "cli/schema_flags.h"
#include "cli/terminal_questions.h"

namespace sotto::cli {
namespace {

using data::ColumnDraft;
using data::ColumnRole;

ColumnRole ask_role(const std::string& name) {
  std::string kinds;
  for (const auto& kind : data::role_names()) kinds += (kinds.empty() ? "" : ", ") + kind;
  while (true) {
    const auto answer = ask(name + ": " + kinds + " (Enter: later)?");
    const auto role = data::role_from_name(answer);
    if (answer.empty() || role != ColumnRole::kUndeclared) return role;
  }
}

// What is wrong with the column, alone in a schema.
std::string mistake_in(const ColumnDraft& column, const data::TableFormat& format) {
  data::SchemaDraft alone{format, {column, {""}}};
  return alone.mistake();
}

// Asks until `set` and the schema take the answer.
template <typename Set>
void ask_until_sound(const std::string& question, const data::TableFormat& format, Set set,
                     ColumnDraft& column) {
  while (true) {
    const auto answer = ask("  " + question);
    try {
      set(column.name, answer, column);
      const auto mistake = mistake_in(column, format);
      if (mistake.empty()) return;
      std::cerr << "  " << mistake << '\n';
    } catch (const UsageError& error) {
      std::cerr << "  " << error.what() << '\n';
    }
  }
}

void ask_about(ColumnDraft& column, const data::TableFormat& format) {
  column.role = column.role == ColumnRole::kUndeclared ? ask_role(column.name) : column.role;
  const bool date = column.role == ColumnRole::kDate;
  if (column.has_range()) {
    ask_until_sound(date ? "first and last day (2020-01-01:2026-12-31)?"
                         : "lowest and highest value that is possible (0:120)?",
                    format, set_range, column);
  } else if (column.has_values()) {
    ask_until_sound(
        column.role == ColumnRole::kLabel ? "its classes (no,yes)?" : "its categories (a,b,c)?",
        format, set_values, column);
  }
  if (column.role == ColumnRole::kCategory) {
    column.other = ask_yes_or_no("  may it hold others?", false);
  }
  if (column.has_range() || column.role == ColumnRole::kCategory) {
    column.missing = ask_yes_or_no("  may it be empty?", false);
  }
}

}  // namespace

void ask_about_columns(data::SchemaDraft& draft) {
  std::cerr << "Answer from what everybody may know of such a table, not from its rows: a schema "
               "is public.\n";
  for (auto& column : draft.columns) {
    if (!column.is_complete()) ask_about(column, draft.format);
  }
}

}  // namespace sotto::cli
