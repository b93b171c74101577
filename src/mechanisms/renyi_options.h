// Rényi accounting for single queries, whose ε is often far below that of training.
#pragma once

#include <cmath>
#include <vector>

#include "sotto/accounting/privacy_cost.h"

namespace sotto::mechanisms {

// Orders so dense, from 1.01 to 10^8, that the best of them costs a relative 1e-3 more than the
// best there is, down to an ε of 1e-6.
inline accounting::AccountingOptions renyi_options() {
  constexpr int kOrders = 473;
  std::vector<double> orders;
  orders.reserve(kOrders);
  for (int i = 0; i < kOrders; ++i) orders.push_back(1 + 0.01 * std::pow(1.05, i));
  accounting::AccountingOptions options;
  options.accountant = accounting::Accountant::kRdp;
  options.orders = accounting::RdpOrders(orders);
  return options;
}

}  // namespace sotto::mechanisms
