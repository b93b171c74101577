// A budget, and what was charged to it by releases one after another.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sotto/accounting/guarantee.h"

namespace sotto::mechanisms {

// How charges add up.
enum class Composing {
  // ε and δ are summed. Holds even if how much a query spends is decided in view of earlier
  // answers.
  kBasic,
  // The least of that, of privacy-loss accounting and of Rényi accounting at the budget's δ. Holds
  // if what each query spends was decided before the first answer was seen: the queries themselves
  // may depend on answers, their ε may not (Rogers, Roth, Ullman, Vadhan 2016). What is spent
  // before
  // the total is reached holds only if their number was decided as well.
  kTight,
};

// "basic" or "tight".
std::string_view to_string(Composing composing);
// Throws InvalidArgument, naming the accepted spellings, for any other text.
Composing composing_from_name(std::string_view text);

struct BudgetTerms {
  accounting::EpsilonDelta total;
  Composing composing = Composing::kBasic;
};

// A release that is (ε, δ)-private under add/remove.
struct Charge {
  accounting::EpsilonDelta cost = {};
  // If it was discrete Gaussian noise: σ over sensitivity, for Rényi accounting.
  std::optional<double> gaussian_multiplier = {};
};

class BudgetAccount {
 public:
  // Throws InvalidArgument unless 0 < ε < ∞, 0 <= δ < 1, and δ > 0 for kTight.
  explicit BudgetAccount(const BudgetTerms& terms);

  // Throws InvalidArgument unless the cost is ε >= 0 and finite, δ in [0, 1).
  void add(const Charge& charge);

  // What all charges cost together: δ is the sum of theirs if they are summed, else the budget's.
  accounting::EpsilonDelta spent() const;
  // True if the budget covers all charges and this one. ε and δ are summed as decimal numbers,
  // without rounding; a budget that a program divided into equal parts, each rounded to a double,
  // covers them all (kRounding, much less than what IntegerNoise keeps back).
  bool affords(const Charge& charge) const;
  // Of the budget, after what is spent; 0 or above.
  accounting::EpsilonDelta left() const;

  const BudgetTerms& terms() const { return terms_; }

  static constexpr double kRounding = 1e-15;

 private:
  bool within_budget(const accounting::EpsilonDelta& spent) const;

  BudgetTerms terms_;
  std::vector<Charge> charges_;
};

}  // namespace sotto::mechanisms
