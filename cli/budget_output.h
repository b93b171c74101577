// The answer of `sotto budget`, for people and for programs.
#pragma once

#include <string>

#include "sotto/accounting/accounting.h"

namespace sotto::cli {

std::string human_text(const accounting::BudgetQuestion& question,
                       const accounting::BudgetAnswer& answer);
std::string json_text(const accounting::BudgetQuestion& question,
                      const accounting::BudgetAnswer& answer);

}  // namespace sotto::cli
