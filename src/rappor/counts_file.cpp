#include "rappor/counts_file.h"

#include "core/counted.h"
#include "rappor/csv_fields.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

std::vector<std::uint64_t> parse_row(std::string_view line, std::size_t size,
                                     const std::string& where) {
  const auto fields = split_fields(line);
  check_argument(fields && fields->size() == size, where, ": expected ", size,
                 " fields (k + 1), got ", fields ? fields->size() : 0);
  std::vector<std::uint64_t> row;
  row.reserve(size);
  for (const auto& field : *fields) {
    const auto value = whole_number(field);
    check_argument(value.has_value(), where, ": ", shown(field), ": expected a whole number");
    row.push_back(*value);
  }
  return row;
}

}  // namespace

Counts parse_counts(std::string_view text, const Params& params, const std::string& name) {
  const auto lines = split_lines(text);
  check_argument(lines.size() == params.cohorts(), name, ": expected ",
                 counted(params.cohorts(), "row"), ", one per cohort, got ", lines.size());
  check_argument(text.back() == '\n', name, ": the last line does not end: the file is cut off");
  Counts counts(params);
  for (std::uint32_t cohort = 0; cohort < params.cohorts(); ++cohort) {
    const std::string where = name + ", line " + std::to_string(cohort + 1);
    const auto row = parse_row(lines[cohort], std::size_t{params.bits()} + 1, where);
    try {
      counts.add(cohort, row[0], std::span(row).subspan(1));
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(where + ": " + error.what());
    }
  }
  return counts;
}

std::string format_counts(const Counts& counts) {
  std::string text;
  for (std::uint32_t cohort = 0; cohort < counts.cohorts(); ++cohort) {
    text += std::to_string(counts.reports(cohort));
    for (std::uint32_t bit = 0; bit < counts.bits(); ++bit) {
      text += ',' + std::to_string(counts.ones(cohort, bit));
    }
    text += '\n';
  }
  return text;
}

}  // namespace sotto::rappor
