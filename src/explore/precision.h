// How exact an answer is wanted: tight accounting takes longer the narrower its interval is made.
#pragma once

#include <string_view>

#include "sotto/accounting/privacy_cost.h"

namespace sotto::explore {

// All of them are upper bounds by privacy-loss distributions.
enum class Precision {
  kCurve,  // a point of a curve
  kQuick,  // while a slider moves
  kFull,   // when it rests: exactly what `sotto budget` says
};

accounting::AccountingOptions accounting_options(Precision precision);

// "quick" or "full". Throws InvalidArgument for any other text.
Precision precision_from_name(std::string_view text);
std::string_view to_string(Precision precision);

}  // namespace sotto::explore
