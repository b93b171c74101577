#include "core/csv_field.h"
#include "rappor/candidate_map.h"
#include "rappor/csv_fields.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

// A cell, checked to lie in its cohort.
std::uint32_t parse_cell(const std::string& field, std::uint32_t cohort, const Params& params,
                         const std::string& where) {
  const std::uint64_t first = std::uint64_t{cohort} * params.bits() + 1;
  const auto value = whole_number(field);
  check_argument(value && *value >= first && *value < first + params.bits(), where, ": ",
                 shown(field), ": expected a number from ", first, " to ",
                 first + params.bits() - 1, ", a bit of cohort ", cohort);
  return static_cast<std::uint32_t>(*value - 1);
}

}  // namespace

CandidateMap parse_map(std::string_view text, const Params& params, const std::string& name) {
  const auto lines = split_lines(text);
  check_argument(!lines.empty(), name, ": is empty; expected one row per candidate");
  check_argument(text.back() == '\n', name, ": the last line does not end: the file is cut off");
  const std::size_t width = std::size_t{params.hashes()} * params.cohorts();
  std::vector<std::string> names;
  std::vector<std::uint32_t> cells;
  for (std::size_t row = 0; row < lines.size(); ++row) {
    const std::string where = name + ", line " + std::to_string(row + 1);
    auto fields = split_fields(lines[row]);
    check_argument(fields && fields->size() == width + 1, where, ": expected ", width + 1,
                   " fields (the string and h × m numbers), got ", fields ? fields->size() : 0);
    for (std::size_t i = 0; i < width; ++i) {
      const auto cohort = static_cast<std::uint32_t>(i / params.hashes());
      cells.push_back(parse_cell((*fields)[i + 1], cohort, params, where));
    }
    names.push_back(std::move((*fields)[0]));
  }
  try {
    return {params, std::move(names), std::move(cells)};
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(name + ": " + error.what());
  }
}

std::string format_map(const CandidateMap& map) {
  std::string text;
  for (std::size_t candidate = 0; candidate < map.size(); ++candidate) {
    text += csv_field(map.name(candidate));
    for (const auto cell : map.cells(candidate)) text += ',' + std::to_string(cell + 1);
    text += '\n';
  }
  return text;
}

std::vector<std::string> parse_candidates(std::string_view text, const std::string& name) {
  std::vector<std::string> candidates;
  for (const auto line : split_lines(text)) {
    check_argument(!line.empty(), name, ", line ", candidates.size() + 1,
                   ": is empty; expected one candidate a line");
    candidates.emplace_back(line);
  }
  check_argument(!candidates.empty(), name, ": is empty; expected one candidate a line");
  return candidates;
}

}  // namespace sotto::rappor
