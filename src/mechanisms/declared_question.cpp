#include "mechanisms/declared_question.h"

#include "mechanisms/declared_value.h"
#include "mechanisms/printable.h"
#include "sotto/core/error.h"

namespace sotto::mechanisms {

namespace {

const ColumnType* declared_type(const QueryOptions& options, const std::string& column) {
  const auto found = options.types.find(column);
  return found == options.types.end() ? nullptr : &found->second;
}

void check_numbers(const QueryOptions& options, const std::string& column,
                   std::string_view purpose) {
  const auto* type = declared_type(options, column);
  if (type == nullptr || std::holds_alternative<NumberType>(*type)) return;
  throw InvalidArgument("declared column '" + printable(column) + "': holds " +
                        std::string(contents(*type)) + ", and its " + std::string(purpose) +
                        " would need numbers; accepted: a column of numbers");
}

void check_parts(const QueryOptions& options, const std::string& column, const Parts& parts) {
  if (std::holds_alternative<Bins>(parts)) check_numbers(options, column, "bins");
  const auto* type = declared_type(options, column);
  if (type == nullptr || !std::holds_alternative<Categories>(parts)) return;
  for (const auto& name : labels(parts)) {
    const auto mismatch = mismatch_of_part(*type, name);
    if (!mismatch) continue;
    throw InvalidArgument("declared column '" + printable(column) + "': " + mismatch->what +
                          "; accepted: " + mismatch->accepted);
  }
}

}  // namespace

void check_declared(const QueryOptions& options) {
  if (options.statistic != Statistic::kCount) {
    check_numbers(options, options.column, to_string(options.statistic));
  }
  check_parts(options, options.by, options.parts);
  check_parts(options, options.across, options.across_parts);
}

}  // namespace sotto::mechanisms
