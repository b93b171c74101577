// Rényi accounting for single queries, whose ε is often far below that of training.
#pragma once

#include <vector>

#include "sotto/accounting/privacy_cost.h"

namespace sotto::mechanisms {

// Orders so dense, from 1.01 to 10^8, that the best of them costs a relative 1e-3 more than the
// best there is, down to an ε of 1e-6.
inline accounting::AccountingOptions renyi_options() {
  std::vector<double> orders;
  for (double above_one = 0.01; above_one < 1e8; above_one *= 1.05) orders.push_back(1 + above_one);
  accounting::AccountingOptions options;
  options.accountant = accounting::Accountant::kRdp;
  options.orders = accounting::RdpOrders(orders);
  return options;
}

}  // namespace sotto::mechanisms
