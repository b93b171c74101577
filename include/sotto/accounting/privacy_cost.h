// The one place that says what something costs.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>

#include "sotto/accounting/accountants.h"
#include "sotto/accounting/event.h"
#include "sotto/accounting/guarantee.h"

namespace sotto::accounting {

enum class Accountant {
  kPld,  // tight, with bounds from both sides
  kRdp,  // an upper bound, as older reports give it
  kGdp,  // an approximation that may understate
};

// "pld", "rdp" or "gdp".
std::string_view to_string(Accountant accountant);
// "improved" or "classic".
std::string_view to_string(Conversion conversion);

// A relative_width for one question asked by a person: narrow enough to print.
inline constexpr double kPrintedWidth = 1e-4;

struct AccountingOptions {
  Accountant accountant = Accountant::kPld;
  Conversion conversion = Conversion::kImproved;  // RDP only
  RdpOrders orders;                               // RDP only
  double relative_width = 1e-3;                   // of PLD's interval
  // PLD only: bounds the time. Where it is too short for relative_width the interval is wider, and
  // still valid.
  std::size_t max_transform_size = std::size_t{1} << 19U;
};

// (epsilon, delta) is what may be promised, unless is_approximation.
struct PrivacyCost {
  Accountant accountant = Accountant::kPld;
  double epsilon = std::numeric_limits<double>::infinity();
  double delta = 1;
  // Bounds from below, where the accountant has them: of ε for cost_at_delta, of δ for
  // cost_at_epsilon.
  std::optional<double> epsilon_lower;
  std::optional<double> delta_lower;
  std::optional<double> order;    // RDP: the best order
  bool order_at_edge = false;     // RDP: a wider grid of orders may give less
  bool is_approximation = false;  // GDP: no bound at all
};

// The ε of a composition at this δ. Throws InvalidArgument unless 0 < delta < 1, NoValidAnalysis
// where the accountant has no valid analysis.
PrivacyCost cost_at_delta(const Composition& composition, const Neighbours& neighbours,
                          double delta, const AccountingOptions& options = {});

// The δ of a composition at this ε >= 0, likewise.
PrivacyCost cost_at_epsilon(const Composition& composition, const Neighbours& neighbours,
                            double epsilon, const AccountingOptions& options = {});

}  // namespace sotto::accounting
