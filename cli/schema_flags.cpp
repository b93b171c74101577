#include "cli/schema_flags.h"

#include <algorithm>

#include "core/calendar_date.h"
#include "core/finite_number.h"

namespace sotto::cli {
namespace {

using data::ColumnDraft;
using data::ColumnRole;
using data::SchemaDraft;

struct Declared {
  ColumnDraft& column;
  std::string rest;  // behind the '='
  bool has_rest;
};

// Names may hold an '=' themselves: the longest one that fits is meant.
Declared find_column(const std::string& flag, const std::string& text, SchemaDraft& draft) {
  ColumnDraft* found = nullptr;
  for (auto& column : draft.columns) {
    const bool fits = text == column.name || text.starts_with(column.name + "=");
    if (fits && (found == nullptr || column.name.size() > found->name.size())) found = &column;
  }
  if (found == nullptr) {
    std::string names;
    for (const auto& column : draft.columns) names += (names.empty() ? "" : ", ") + column.name;
    throw UsageError(flag + " '" + text + "': expected a column of the table: " + names);
  }
  const bool has_rest = text.size() > found->name.size();
  return {*found, has_rest ? text.substr(found->name.size() + 1) : "", has_rest};
}

bool is_bound(const std::string& text, ColumnRole role) {
  return role == ColumnRole::kDate ? days_of_date(text).has_value()
                                   : finite_number(text).has_value();
}

struct RoleFlags {
  const char* flag;
  ColumnRole role;
  const std::vector<std::string>& texts;
};

void declare_column(const RoleFlags& flags, const std::string& text, bool has_sample,
                    SchemaDraft& draft) {
  const auto [column, rest, has_rest] = find_column(flags.flag, text, draft);
  const auto refuse = [&](const std::string& why) {
    throw UsageError(std::string(flags.flag) + " '" + text + "': " + why);
  };
  if (column.role != ColumnRole::kUndeclared) refuse("is declared twice");
  column.role = flags.role;
  if (has_rest && column.has_range()) {
    set_range(flags.flag, rest, column);
  } else if (has_rest && column.has_values()) {
    set_values(flags.flag, rest, column);
  } else if (has_rest) {
    refuse("expected the name of a column alone");
  } else if (!has_sample && !column.is_complete()) {
    refuse(column.has_range() ? "expected NAME=LOW:HIGH" : "expected NAME=A,B,...");
  }
}

void apply_missing_and_other(const SchemaFlags& flags, SchemaDraft& draft) {
  for (const auto& text : flags.missing) {
    auto& column = find_column("--missing", text, draft).column;
    const bool input = column.has_range() || column.role == ColumnRole::kCategory ||
                       column.role == ColumnRole::kUndeclared;
    if (!input) throw UsageError("--missing '" + text + "': is for columns that are inputs");
    column.missing = true;
  }
  for (const auto& text : flags.other) {
    auto& column = find_column("--other", text, draft).column;
    if (column.role != ColumnRole::kCategory) {
      throw UsageError("--other '" + text + "': is for columns of --category");
    }
    column.other = true;
  }
}

}  // namespace

void SchemaFlags::declare(FlagSet& app) {
  app.add_option("--number NAME=LOW:HIGH", number, "a column of numbers, and their range")
      .repeatable();
  app.add_option("--integer NAME=LOW:HIGH", integer, "a column of whole numbers").repeatable();
  app.add_option("--category NAME=A,B,...", category, "a column of categories").repeatable();
  app.add_option("--date NAME=FROM:TO", date,
                 "a column of dates, such as seen=2020-01-01:2026-12-31")
      .repeatable();
  app.add_option("--label NAME=A,B,...", label, "the column to predict, and its classes")
      .repeatable();
  app.add_option("--id NAME", id, "a column that is not an input, but is copied to the predictions")
      .repeatable();
  app.add_option("--person NAME", person,
                 "the column that says whose record a row is; not an input")
      .repeatable();
  app.add_option("--ignore NAME", ignore, "a column that is not looked at").repeatable();
  app.add_option("--missing NAME", missing, "a column whose fields may be empty").repeatable();
  app.add_option("--other NAME", other, "a column with categories that are not listed")
      .repeatable();
  app.add_option("--decimal point|comma", decimal, "decimal sign of numbers (default point)");
  app.add_option("--missing-values A,B,...", missing_values,
                 "what stands for an empty field: NA,-");
}

void set_range(const std::string& flag, const std::string& text, data::ColumnDraft& column) {
  const auto colon = text.find(':');
  column.low = text.substr(0, colon);
  column.high = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (is_bound(column.low, column.role) && is_bound(column.high, column.role)) return;
  throw UsageError(flag + " '" + text + "': expected " +
                   (column.role == ColumnRole::kDate ? "two dates, as 2020-01-01:2026-12-31"
                                                     : "two numbers, as 0:120"));
}

void set_values(const std::string& flag, const std::string& text, data::ColumnDraft& column) {
  column.values = list_flag(flag, text);
}

void apply(const SchemaFlags& flags, bool has_sample, data::SchemaDraft& draft) {
  for (const auto& roles : {RoleFlags{"--number", ColumnRole::kNumber, flags.number},
                            RoleFlags{"--integer", ColumnRole::kInteger, flags.integer},
                            RoleFlags{"--category", ColumnRole::kCategory, flags.category},
                            RoleFlags{"--date", ColumnRole::kDate, flags.date},
                            RoleFlags{"--label", ColumnRole::kLabel, flags.label},
                            RoleFlags{"--id", ColumnRole::kId, flags.id},
                            RoleFlags{"--person", ColumnRole::kPerson, flags.person},
                            RoleFlags{"--ignore", ColumnRole::kIgnored, flags.ignore}}) {
    for (const auto& text : roles.texts) declare_column(roles, text, has_sample, draft);
  }
  apply_missing_and_other(flags, draft);
  if (flags.missing_values) {
    draft.format.missing_values = list_flag("--missing-values", *flags.missing_values);
  }
  if (!flags.decimal) return;
  if (*flags.decimal != "point" && *flags.decimal != "comma") {
    throw UsageError("--decimal '" + *flags.decimal + "': expected point or comma");
  }
  draft.format.decimal = *flags.decimal == "comma" ? ',' : '.';
  draft.format.says_decimal = true;
}

char separator_flag(const std::string& flag, const std::string& text) {
  if (text == "," || text == "comma") return ',';
  if (text == ";" || text == "semicolon") return ';';
  if (text == "\t" || text == "tab") return '\t';
  throw UsageError(flag + " '" + text + "': expected comma, semicolon or tab");
}

}  // namespace sotto::cli
