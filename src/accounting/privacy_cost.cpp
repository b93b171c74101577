#include "sotto/accounting/privacy_cost.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "accounting/gdp.h"
#include "sotto/accounting/accountants.h"
#include "sotto/core/error.h"

namespace sotto::accounting {

namespace {

PrivacyCost bare_cost(Accountant accountant, double epsilon, double delta) {
  PrivacyCost cost{};
  cost.accountant = accountant;
  cost.epsilon = epsilon;
  cost.delta = delta;
  cost.is_approximation = accountant == Accountant::kGdp;
  return cost;
}

PldOptions pld_options(const AccountingOptions& options) {
  return {options.relative_width, options.max_transform_size};
}

}  // namespace

std::string_view to_string(Accountant accountant) {
  switch (accountant) {
    case Accountant::kPld:
      return "pld";
    case Accountant::kRdp:
      return "rdp";
    case Accountant::kGdp:
      return "gdp";
  }
  throw std::logic_error("unknown accountant");
}

std::string_view to_string(Conversion conversion) {
  return conversion == Conversion::kImproved ? "improved" : "classic";
}

PrivacyCost cost_at_delta(const Composition& composition, const Neighbours& neighbours,
                          double delta, const AccountingOptions& options) {
  check_argument(delta > 0 && delta < 1, "delta must be in (0, 1), got ", delta);
  PrivacyCost cost = bare_cost(options.accountant, 0, delta);
  switch (options.accountant) {
    case Accountant::kPld: {
      const auto interval =
          PldAccountant(composition, neighbours, pld_options(options)).epsilon(delta);
      cost.epsilon = interval.upper;
      cost.epsilon_lower = interval.lower;
      return cost;
    }
    case Accountant::kRdp: {
      const auto bound =
          RdpAccountant(composition, neighbours, options.orders).epsilon(delta, options.conversion);
      cost.epsilon = bound.epsilon;
      cost.order = bound.order;
      cost.order_at_edge = bound.order_at_edge;
      return cost;
    }
    case Accountant::kGdp:
      cost.epsilon = gdp_epsilon(gdp_mu(composition, neighbours), delta);
      return cost;
  }
  throw std::logic_error("unknown accountant");
}

PrivacyCost cost_at_epsilon(const Composition& composition, const Neighbours& neighbours,
                            double epsilon, const AccountingOptions& options) {
  check_argument(epsilon >= 0 && std::isfinite(epsilon),
                 "epsilon must be at least 0 and finite, got ", epsilon);
  PrivacyCost cost = bare_cost(options.accountant, epsilon, 1);
  switch (options.accountant) {
    case Accountant::kPld: {
      const auto interval =
          PldAccountant(composition, neighbours, pld_options(options)).delta(epsilon);
      cost.delta = interval.upper;
      cost.delta_lower = interval.lower;
      return cost;
    }
    case Accountant::kRdp:
      cost.delta =
          RdpAccountant(composition, neighbours, options.orders).delta(epsilon, options.conversion);
      return cost;
    case Accountant::kGdp:
      cost.delta = gdp_delta(gdp_mu(composition, neighbours), epsilon);
      return cost;
  }
  throw std::logic_error("unknown accountant");
}

}  // namespace sotto::accounting
