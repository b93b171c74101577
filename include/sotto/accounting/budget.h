// What a planned run costs, or what a budget affords: one question, one answer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sotto/accounting/neighbours.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/accounting/rdp_accountant.h"
#include "sotto/accounting/training_run.h"

namespace sotto::accounting {

// A run, whom it protects, and how it is accounted for.
struct PlannedRun {
  TrainingRunOptions run;
  Neighbours neighbours;
  double delta = 1e-5;
  AccountingOptions accounting;

  // ε at delta. Throws InvalidArgument for a run that is none, NoValidAnalysis.
  PrivacyCost cost() const;
};

enum class BudgetGoal : std::uint8_t {
  kEpsilon,          // everything known but ε
  kDelta,            // ε given instead of δ
  kNoiseMultiplier,  // target ε given instead of σ
  kEpochs,           // target ε given instead of the length
};

// What is to be found may stand in the run as anything.
struct BudgetQuestion : PlannedRun {
  BudgetGoal goal = BudgetGoal::kEpsilon;
  std::optional<double> epsilon = {};  // given, or to be kept
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
  std::vector<PrivacyCost> accountants;  // all that have one, if that was asked
  std::optional<TuningCost> tuning;
};

// The largest number of epochs, or the smallest noise multiplier, is one that keeps to the target:
// both err on the safe side. Throws NoValidAnalysis; std::runtime_error if nothing is affordable.
BudgetAnswer answer(const BudgetQuestion& question);

}  // namespace sotto::accounting
