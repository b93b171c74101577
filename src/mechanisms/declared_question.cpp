#include "mechanisms/declared_question.h"

#include "core/printed_number.h"
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

// Of a column of numbers; nothing of others, or where no range is declared.
std::optional<DeclaredRange<double>> declared_range(const QueryOptions& options,
                                                    const std::string& column) {
  const auto* type = declared_type(options, column);
  const auto* numbers = type == nullptr ? nullptr : std::get_if<NumberType>(type);
  return numbers == nullptr ? std::nullopt : numbers->range;
}

std::string range_words(const std::string& column, const DeclaredRange<double>& range) {
  return "column '" + printable(column) + "' is declared to hold numbers from " +
         significant(range.low, 15) + " to " + significant(range.high, 15);
}

// A bin may reach beyond the range, but must hold some of it.
void check_bins(const QueryOptions& options, const std::string& column, const Bins& bins) {
  const auto range = declared_range(options, column);
  if (!range) return;
  const auto& edges = bins.edges();
  for (std::size_t bin = 0; bin < bins.size(); ++bin) {
    const bool last = bin + 1 == bins.size();
    const bool above_low = last ? edges[bin + 1] >= range->low : edges[bin + 1] > range->low;
    if (above_low && edges[bin] <= range->high) continue;
    throw InvalidArgument("bins: " + bins.label(bin) +
                          " is outside the declared range: " + range_words(column, *range) +
                          "; accepted: bins that each hold some of these");
  }
}

void check_bounds_in_range(const QueryOptions& options) {
  const auto range = declared_range(options, options.column);
  if (!range || !options.bounds) return;
  const auto& bounds = *options.bounds;
  const bool above = bounds.low() >= range->high;
  if (!above && bounds.high() > range->low) return;
  throw InvalidArgument("bounds " + significant(bounds.low(), 15) + " to " +
                        significant(bounds.high(), 15) + ": " +
                        range_words(options.column, *range) + ", which would all count as " +
                        significant(above ? bounds.low() : bounds.high(), 15) +
                        "; accepted: bounds that some of these lie between");
}

void require_numbers(const QueryOptions& options, const std::string& column,
                     std::string_view purpose) {
  if (declared_type(options, column) != nullptr) return;
  const std::vector<ColumnType> accepted = {NumberType{}};
  throw UndeclaredColumn(column, accepted,
                         "'" + printable(column) + "': its " + std::string(purpose) +
                             " would need numbers, and " + undeclared_words(accepted));
}

void check_parts(const QueryOptions& options, const std::string& column, const Parts& parts) {
  if (const auto* bins = std::get_if<Bins>(&parts)) {
    check_numbers(options, column, "bins");
    check_bins(options, column, *bins);
  }
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
    check_bounds_in_range(options);
  }
  check_parts(options, options.by, options.parts);
  check_parts(options, options.across, options.across_parts);
}

void require_declared(const QueryOptions& options) {
  if (options.statistic != Statistic::kCount) {
    require_numbers(options, options.column, to_string(options.statistic));
  }
  const auto has_bins = [](const Parts& parts) { return std::holds_alternative<Bins>(parts); };
  if (has_bins(options.parts)) require_numbers(options, options.by, "bins");
  if (has_bins(options.across_parts)) require_numbers(options, options.across, "bins");
}

}  // namespace sotto::mechanisms
