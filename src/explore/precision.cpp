#include "explore/precision.h"

#include "sotto/core/error.h"

namespace sotto::explore {

accounting::AccountingOptions accounting_options(Precision precision) {
  accounting::AccountingOptions options;
  options.relative_width = accounting::kPrintedWidth;
  if (precision == Precision::kFull) return options;
  const bool quick = precision == Precision::kQuick;
  options.relative_width = quick ? 1e-3 : 2e-2;
  options.max_transform_size = std::size_t{1} << (quick ? 15U : 13U);
  return options;
}

Precision precision_from_name(std::string_view text) {
  if (text == to_string(Precision::kQuick)) return Precision::kQuick;
  check_argument(text == to_string(Precision::kFull), "precision: expected quick or full");
  return Precision::kFull;
}

std::string_view to_string(Precision precision) {
  if (precision == Precision::kCurve) return "curve";
  return precision == Precision::kQuick ? "quick" : "full";
}

}  // namespace sotto::explore
