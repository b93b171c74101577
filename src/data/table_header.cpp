#include "data/table_header.h"

#include <algorithm>
#include <array>
#include <map>

#include "data/quoted_value.h"
#include "sotto/core/error.h"

namespace sotto::data {
namespace {

constexpr std::array kSeparators = {',', ';', '\t'};

bool is_among(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_a_role(const std::string& column, const CsvSchema& schema) {
  return column == schema.label || is_among(column, schema.dropped) ||
         is_among(column, schema.carried()) ||
         std::any_of(schema.columns.begin(), schema.columns.end(),
                     [&](const auto& entry) { return entry.first == column; });
}

std::string unknown_column(const std::string& column, char declared) {
  for (const char separator : kSeparators) {
    if (separator == declared || column.find(separator) == std::string::npos) continue;
    return "the columns seem to be separated by " + separator_name(separator) +
           ", but the schema says " + separator_name(declared) + "; \"separator\": " +
           (separator == '\t' ? R"("\t")" : '"' + std::string(1, separator) + '"') +
           " in the schema would allow it";
  }
  return "column " + quoted_value(column) +
         " is not in the schema; statistics of private data would leak, so give low and high or "
         "categories there, or drop the column with \"drop\"";
}

std::optional<std::size_t> place_of(const std::string& column,
                                    const std::vector<std::string>& header) {
  const auto found = std::find(header.begin(), header.end(), column);
  if (found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

}  // namespace

std::vector<std::string> header_problems(const std::vector<std::string>& header,
                                         const CsvSchema& schema, RowsFor purpose,
                                         const std::vector<std::string>& unread) {
  std::vector<std::string> problems;
  for (const auto& column : header) {
    if (has_a_role(column, schema) || is_among(column, unread)) continue;
    problems.push_back(unknown_column(column, schema.format.separator));
  }
  const auto need = [&](const std::string& column, bool required) {
    const auto count = std::count(header.begin(), header.end(), column);
    if (count == 1 || (count == 0 && !required)) return;
    problems.push_back(detail::join_message(count, " columns are called ", quoted_value(column),
                                            ", the schema needs one"));
  };
  const bool training = purpose == RowsFor::kTraining;
  if (!schema.classes.empty()) need(schema.label, training);  // else it could not be read
  for (const auto& [column, rule] : schema.columns) need(column, true);
  for (const auto& column : unread) need(column, true);
  for (const auto& column : schema.carried()) need(column, training && column == schema.person);
  return problems;
}

TableLayout layout_of(const std::vector<std::string>& header, const CsvSchema& schema) {
  TableLayout layout{place_of(schema.label, header), {}, {}};
  for (const auto& [column, rule] : schema.columns) {
    if (const auto place = place_of(column, header)) layout.columns.push_back(*place);
  }
  for (const auto& column : schema.carried()) {
    if (const auto place = place_of(column, header)) layout.carried.push_back(*place);
  }
  return layout;
}

std::optional<char> separator_of(const std::string& first_line) {
  std::map<char, std::int64_t> counts;
  bool quoted = false;
  for (const char letter : first_line) {
    if (letter == '"') quoted = !quoted;
    if (!quoted) ++counts[letter];
  }
  auto by_count = kSeparators;
  std::sort(by_count.begin(), by_count.end(),
            [&](char one, char other) { return counts[one] > counts[other]; });
  const auto most = counts[by_count[0]];
  if (most == 0 || most == counts[by_count[1]]) return std::nullopt;
  return by_count[0];
}

std::string separator_name(char separator) {
  return separator == '\t' ? "tabs" : separator == ';' ? "semicolons" : "commas";
}

}  // namespace sotto::data
