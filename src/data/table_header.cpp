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

std::string needed_once(const std::string& column, std::ptrdiff_t count) {
  if (count == 0) return "has no column " + quoted_value(column) + ", which the schema needs";
  return "has " + std::to_string(count) + " columns called " + quoted_value(column) +
         ", and the schema needs one";
}

// How often each of kSeparators is there, outside quotes.
std::map<char, std::int64_t> separator_counts(const std::string& line) {
  std::map<char, std::int64_t> counts;
  for (const char separator : kSeparators) counts[separator] = 0;
  bool quoted = false;
  for (const char letter : line) {
    if (letter == '"') quoted = !quoted;
    const auto count = counts.find(letter);
    if (!quoted && count != counts.end()) ++count->second;
  }
  return counts;
}

// How many of them are there.
std::ptrdiff_t kinds_in(const std::string& line) {
  const auto counts = separator_counts(line);
  return std::count_if(counts.begin(), counts.end(),
                       [](const auto& entry) { return entry.second > 0; });
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
    problems.push_back(needed_once(column, count));
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
  auto counts = separator_counts(first_line);
  auto by_count = kSeparators;
  std::sort(by_count.begin(), by_count.end(),
            [&](char one, char other) { return counts[one] > counts[other]; });
  const auto most = counts[by_count[0]];
  if (most == 0 || most == counts[by_count[1]]) return std::nullopt;
  return by_count[0];
}

bool shows_separators(const std::string& first_line) { return kinds_in(first_line) > 0; }

char separator_without_schema(const std::string& first_line, const std::string& name) {
  const auto most = separator_of(first_line);
  check_argument(kinds_in(first_line) <= 1 || most == ',', name,
                 ", line 1: nobody can tell which of commas, semicolons and tabs separate these "
                 "names; accepted: one kind of them outside quotes, mostly commas, or a schema "
                 "that says it");
  return most.value_or(',');
}

std::string separator_name(char separator) {
  return separator == '\t' ? "tabs" : separator == ';' ? "semicolons" : "commas";
}

}  // namespace sotto::data
