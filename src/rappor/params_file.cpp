#include "rappor/params_file.h"

#include "core/counted.h"
#include "core/csv_field.h"
#include "rappor/csv_fields.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

constexpr std::string_view kParamsHeader = "k,h,m,p,q,f";

std::int64_t count_field(const std::string& field, const std::string& name, const char* column) {
  const auto value = whole_number(field);
  check_argument(value && *value <= std::uint64_t{1} << 40U, name, ", line 2: ", column, " ",
                 shown(field), ": expected a whole number");
  return static_cast<std::int64_t>(*value);
}

double probability_field(const std::string& field, const std::string& name, const char* column) {
  const auto value = real_number(field);
  check_argument(value && *value >= 0 && *value <= 1, name, ", line 2: ", column, " ", shown(field),
                 ": expected a number in [0, 1]");
  return *value;
}

}  // namespace

Params parse_params(std::string_view text, const std::string& name) {
  const auto lines = split_lines(text);
  check_argument(!lines.empty() && lines[0] == kParamsHeader, name,
                 ", line 1: ", shown(lines.empty() ? "" : lines[0]), ": expected the header ",
                 kParamsHeader);
  check_argument(lines.size() == 2, name, ": expected a header and exactly one row, got ",
                 counted(lines.size(), "line"));
  const auto fields = split_fields(lines[1]);
  check_argument(fields && fields->size() == 6, name,
                 ", line 2: expected six fields: ", kParamsHeader);
  const ParamsFields parsed{.bits = count_field((*fields)[0], name, "k"),
                            .hashes = count_field((*fields)[1], name, "h"),
                            .cohorts = count_field((*fields)[2], name, "m"),
                            .f = probability_field((*fields)[5], name, "f"),
                            .p = probability_field((*fields)[3], name, "p"),
                            .q = probability_field((*fields)[4], name, "q")};
  try {
    return Params(parsed);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(name + ", line 2: " + error.what());
  }
}

std::string format_params(const Params& params) {
  std::string text = std::string(kParamsHeader) + '\n';
  for (const auto count : {params.bits(), params.hashes(), params.cohorts()}) {
    text += std::to_string(count) + ',';
  }
  return text + exact_number(params.p()) + ',' + exact_number(params.q()) + ',' +
         exact_number(params.f()) + '\n';
}

}  // namespace sotto::rappor
