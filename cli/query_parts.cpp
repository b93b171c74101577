#include "cli/query_parts.h"

#include <optional>

namespace sotto::cli {

namespace {

using mechanisms::Bins;
using mechanisms::Categories;
using mechanisms::Parts;
using mechanisms::QueryOptions;

Parts bins_of(const std::string& text) {
  return checked_flag("--bins", text, [&] { return Bins(number_list_flag("--bins", text)); });
}

Parts categories_of(const std::string& flag, const std::string& text) {
  return checked_flag(flag, text, [&] { return Categories(list_flag(flag, text)); });
}

// Nothing if the column has no declared categories.
std::optional<Parts> declared_parts(const DeclaredColumns& declared, const std::string& column) {
  const auto* names = declared.categories(column);
  if (names == nullptr) return std::nullopt;
  return Parts(Categories(*names));
}

void refuse_repeated(const char* flag, const std::vector<std::string>& texts) {
  if (texts.size() <= 1) return;
  throw UsageError(std::string(flag) + " '" + texts[1] + "': given already, as '" + texts[0] + "'");
}

void refuse_all(const std::string& why, const char* flag, const std::vector<std::string>& texts) {
  if (!texts.empty()) throw UsageError(std::string(flag) + " '" + texts[0] + "': " + why);
}

// The list behind COLUMN=, in what was given for a table; nothing if there is none.
std::optional<std::string> list_for(const std::string& column, const char* flag,
                                    const std::vector<std::string>& texts) {
  std::vector<std::string> found;
  for (const auto& text : texts) {
    if (text.starts_with(column + "=")) found.push_back(text.substr(column.size() + 1));
  }
  refuse_repeated(flag, found);
  return found.empty() ? std::nullopt : std::optional(found[0]);
}

// Every list belongs to one of the columns.
void check_lists(const char* flag, const std::vector<std::string>& texts,
                 const std::vector<std::string>& columns) {
  for (const auto& text : texts) {
    const bool known = text.starts_with(columns[0] + "=") || text.starts_with(columns[1] + "=");
    if (known) continue;
    throw UsageError(std::string(flag) + " '" + text + "': expected " + columns[0] + "=... or " +
                     columns[1] + "=...");
  }
}

Parts table_parts(const QueryTexts& texts, const DeclaredColumns& declared,
                  const std::string& column) {
  const auto bins = list_for(column, "--bins", texts.bins);
  const auto categories = list_for(column, "--categories", texts.categories);
  if (bins && categories) {
    throw UsageError("--bins and --categories are both given for '" + column + "'; expected one");
  }
  if (bins) return bins_of(*bins);
  if (categories) return categories_of("--categories", *categories);
  if (auto parts = declared_parts(declared, column)) return *parts;
  throw UsageError("--categories is missing: --categories " + column + "=X,Y or --bins " + column +
                   "=A,B,C, known without looking at the data, or a --schema with categories");
}

}  // namespace

void read_histogram(const QueryTexts& texts, const DeclaredColumns& declared, QueryOptions& query) {
  query.by =
      required_text("COLUMN", texts.column, "histogram COLUMN --bins ... or --categories ...");
  refuse_text("a histogram has --bins or --categories already", "--by", texts.by);
  refuse_repeated("--bins", texts.bins);
  refuse_repeated("--categories", texts.categories);
  const bool both = !texts.bins.empty() && !texts.categories.empty();
  const auto known = declared_parts(declared, query.by);
  if (!both && !texts.bins.empty()) {
    query.parts = bins_of(texts.bins[0]);
  } else if (!both && !texts.categories.empty()) {
    query.parts = categories_of("--categories", texts.categories[0]);
  } else if (!both && known) {
    query.parts = *known;
  } else {
    throw UsageError(
        "histogram takes either --bins or --categories, known without looking at the "
        "data; bins found in the data would reveal something about it");
  }
}

void read_groups(const QueryTexts& texts, const DeclaredColumns& declared, QueryOptions& query) {
  for (const auto& [flag, given] :
       {std::pair("--bins", &texts.bins), std::pair("--categories", &texts.categories)}) {
    refuse_all("is for histogram and table only; groups have --by and --groups", flag, *given);
  }
  const auto known = texts.by ? declared_parts(declared, *texts.by) : std::nullopt;
  if (texts.by.has_value() != texts.groups.has_value() && !known) {
    throw UsageError(
        "--by and --groups go together: a column, and its groups as known without "
        "looking at the data");
  }
  if (!texts.by) return;
  query.by = *texts.by;
  query.parts = texts.groups ? categories_of("--groups", *texts.groups) : *known;
}

void read_two_way_table(const QueryTexts& texts, const DeclaredColumns& declared,
                        QueryOptions& query) {
  refuse_text("a table has --columns A,B", "COLUMN", texts.column);
  refuse_text("a table has --columns A,B", "--by", texts.by);
  refuse_text("a table has --categories COLUMN=X,Y", "--groups", texts.groups);
  const auto& text = required_text("--columns", texts.columns, "the two columns of the table, A,B");
  const auto columns = list_flag("--columns", text);
  if (columns.size() != 2 || columns[0] == columns[1]) {
    throw UsageError("--columns '" + text + "': expected two columns, A,B");
  }
  check_lists("--bins", texts.bins, columns);
  check_lists("--categories", texts.categories, columns);
  query.by = columns[0];
  query.across = columns[1];
  query.parts = table_parts(texts, declared, columns[0]);
  query.across_parts = table_parts(texts, declared, columns[1]);
}

}  // namespace sotto::cli
