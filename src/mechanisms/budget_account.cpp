#include "sotto/mechanisms/budget_account.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mechanisms/decimal.h"
#include "mechanisms/renyi_options.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/core/error.h"

namespace sotto::mechanisms {

namespace {

using accounting::Accountant;
using accounting::BlackBoxEvent;
using accounting::Composition;
using accounting::EpsilonDelta;

bool is_summable(const EpsilonDelta& cost) {
  return cost.epsilon >= 0 && std::isfinite(cost.epsilon) && cost.delta >= 0 && cost.delta < 1;
}

// As they were written: ten charges of 0.1 are 1, not a little less or more. (Basic composition.)
EpsilonDelta summed(const std::vector<Charge>& charges) {
  Decimal epsilon;
  Decimal delta;
  for (const auto& charge : charges) {
    epsilon += Decimal(charge.cost.epsilon);
    delta += Decimal(charge.cost.delta);
  }
  return {epsilon.nearest(), std::min(delta.nearest(), 1.0)};
}

double what_is_left(double total, double spent) {
  return std::max(0.0, (Decimal(total) - Decimal(spent)).nearest());
}

bool same(const Charge& a, const Charge& b) {
  return a.cost.epsilon == b.cost.epsilon && a.cost.delta == b.cost.delta &&
         a.gaussian_multiplier == b.gaussian_multiplier;
}

accounting::Event event_of(const Charge& charge, Accountant accountant) {
  const bool renyi = accountant == Accountant::kRdp;
  if (renyi && charge.gaussian_multiplier) {
    return accounting::GaussianEvent(*charge.gaussian_multiplier);
  }
  return BlackBoxEvent(charge.cost.epsilon, charge.cost.delta);
}

// Equal charges as one part: the order of parts does not matter to what they cost.
Composition composition_of(const std::vector<Charge>& charges, Accountant accountant) {
  std::vector<std::pair<Charge, std::int64_t>> kinds;
  for (const auto& charge : charges) {
    const auto known = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const auto& kind) { return same(kind.first, charge); });
    if (known == kinds.end()) {
      kinds.emplace_back(charge, 1);
    } else {
      ++known->second;
    }
  }
  Composition composition;
  for (const auto& [charge, count] : kinds) composition.add(event_of(charge, accountant), count);
  return composition;
}

double tight_epsilon(const std::vector<Charge>& charges, double delta,
                     const accounting::AccountingOptions& options) {
  return accounting::cost_at_delta(composition_of(charges, options.accountant),
                                   accounting::Neighbours(), delta, options)
      .epsilon;
}

EpsilonDelta cost_of(const std::vector<Charge>& charges, const BudgetTerms& terms) {
  EpsilonDelta basic = summed(charges);
  if (terms.composing == Composing::kBasic || charges.empty()) return basic;
  const double delta = terms.total.delta;
  const double least =
      std::min(tight_epsilon(charges, delta, {}), tight_epsilon(charges, delta, renyi_options()));
  const bool basic_holds = basic.delta <= delta * (1 + BudgetAccount::kRounding);
  if (basic_holds && basic.epsilon <= least) return basic;
  return {least, delta};
}

}  // namespace

std::string_view to_string(Composing composing) {
  return composing == Composing::kBasic ? "basic" : "tight";
}

Composing composing_from_name(std::string_view text) {
  for (const auto composing : {Composing::kBasic, Composing::kTight}) {
    if (to_string(composing) == text) return composing;
  }
  throw InvalidArgument("composition '" + std::string(text) + "': accepted are basic and tight");
}

BudgetAccount::BudgetAccount(const BudgetTerms& terms) : terms_(terms) {
  const auto& [epsilon, delta] = terms.total;
  check_argument(epsilon > 0 && std::isfinite(epsilon), "the total epsilon must be positive, got ",
                 epsilon);
  check_argument(delta >= 0 && delta < 1, "the total delta must be in [0, 1), got ", delta);
  check_argument(terms.composing == Composing::kBasic || delta > 0,
                 "tight composition needs a total delta above 0");
}

void BudgetAccount::add(const Charge& charge) {
  check_argument(is_summable(charge.cost), "a charge must have a finite epsilon of at least 0 and ",
                 "a delta in [0, 1), got ", charge.cost.epsilon, " and ", charge.cost.delta);
  charges_.push_back(charge);
}

EpsilonDelta BudgetAccount::spent() const { return cost_of(charges_, terms_); }

bool BudgetAccount::within_budget(const EpsilonDelta& spent) const {
  return spent.epsilon <= terms_.total.epsilon * (1 + kRounding) &&
         spent.delta <= terms_.total.delta * (1 + kRounding);
}

bool BudgetAccount::affords(const Charge& charge) const {
  BudgetAccount with = *this;
  with.add(charge);
  return within_budget(with.spent());
}

EpsilonDelta BudgetAccount::left() const {
  const auto used = spent();
  return {what_is_left(terms_.total.epsilon, used.epsilon),
          what_is_left(terms_.total.delta, used.delta)};
}

}  // namespace sotto::mechanisms
