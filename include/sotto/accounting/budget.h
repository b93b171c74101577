// What a planned run costs, or what a budget affords: one question, one answer. And the search
// behind it, for any composition: the noise, or the length, that a given (ε, δ) allows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sotto/accounting/accountants.h"
#include "sotto/accounting/event.h"
#include "sotto/accounting/guarantee.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/accounting/training_run.h"

namespace sotto::accounting {

// A run, whom it protects, and how it is accounted for.
struct PlannedRun {
  TrainingRunOptions run;
  Neighbours neighbours;
  double delta = 1e-5;
  AccountingOptions accounting;

  // ε at delta. Throws InvalidArgument for an invalid run, NoValidAnalysis.
  PrivacyCost cost() const;
};

enum class BudgetGoal : std::uint8_t {
  kEpsilon,          // everything known but ε
  kDelta,            // ε given instead of δ
  kNoiseMultiplier,  // target ε given instead of σ
  kEpochs,           // target ε given instead of the length
};

// The present value of what is to be found is ignored.
struct BudgetQuestion : PlannedRun {
  BudgetGoal goal = BudgetGoal::kEpsilon;
  std::optional<double> epsilon = {};  // given, or the target
  bool by_all_accountants = false;
  std::optional<std::int64_t> tuning_runs = {};  // also: what trying this many settings costs
};

struct RdpComparison {
  RdpEpsilon improved;
  RdpEpsilon classic;
};

struct TuningCost {
  std::int64_t runs;
  PrivacyCost fixed_runs;                 // all results paid for
  std::optional<RdpEpsilon> random_runs;  // a geometric number of them, best published
};

struct BudgetAnswer {
  TrainingRun run;  // with whatever was to be found filled in
  PrivacyCost cost;
  std::optional<RdpComparison> rdp;      // of the same run, where it has an analysis
  std::vector<PrivacyCost> accountants;  // all that have an analysis, with by_all_accountants
  std::optional<TuningCost> tuning;
};

// The largest number of epochs, or the smallest noise multiplier, is one that keeps to the target:
// both err on the safe side. Throws NoValidAnalysis; std::runtime_error if nothing is affordable.
BudgetAnswer answer(const BudgetQuestion& question);

// The smallest noise multiplier, to six significant digits and rounded up, whose run costs at most
// the target. The run must cost less the more noise it has. Throws InvalidArgument if no multiplier
// up to 1e6 is enough.
double smallest_noise_multiplier(const EpsilonDelta& target, const Neighbours& neighbours,
                                 const std::function<Composition(double)>& run_with_noise,
                                 const AccountingOptions& options = {});

// The largest n in [1, limit] such that n rounds (steps, or epochs) cost at most the target; 0 if
// even one costs more.
std::int64_t most_rounds(const EpsilonDelta& target, const Neighbours& neighbours,
                         const std::function<Composition(std::int64_t)>& run_of_length,
                         std::int64_t limit, const AccountingOptions& options = {});

}  // namespace sotto::accounting
