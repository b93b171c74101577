#include "rappor/value_csv.h"

#include <algorithm>

#include "rappor/csv_fields.h"
#include "rappor/line_reader.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

void read_value_csv(std::istream& in, const std::string& name, const ValueVisitor& visit) {
  LineReader lines(in);
  const auto first = lines.next();
  const auto header = first ? split_fields(*first) : std::nullopt;
  const auto column = [&](const char* wanted) {
    const std::vector<std::string> none;
    const auto& fields = header ? *header : none;
    const auto found = std::find(fields.begin(), fields.end(), wanted);
    check_argument(found != fields.end(), name, ", line 1: ", shown(first.value_or("")),
                   ": expected a header with the columns client and value");
    return static_cast<std::size_t>(found - fields.begin());
  };
  const std::size_t client = column("client");
  const std::size_t value = column("value");
  while (const auto line = lines.next()) {
    const auto fields = split_fields(*line);
    check_argument(fields && fields->size() == header->size(), name, ", line ", lines.number(),
                   ": ", shown(*line), ": expected ", header->size(), " fields, as in the header");
    try {
      visit((*fields)[client], (*fields)[value]);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(name + ", line " + std::to_string(lines.number()) + ": " +
                            error.what());
    }
  }
}

}  // namespace sotto::rappor
