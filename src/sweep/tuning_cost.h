// What it costs to have chosen the best of several runs on the same data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runs/run_charge.h"
#include "sweep/run_count.h"

namespace sotto::sweep {

enum class TuningBasis {
  kComposition,  // all runs, as if every one of them were published: always valid
  kRandomCount,  // the number of runs was drawn: only the best is published
  kUnbounded,    // some run has no finite ε
  kNothing,      // no run has touched the data
};
// "composition", "random-number-of-runs", "unbounded" or "nothing".
std::string_view to_string(TuningBasis basis);

struct TuningCost {
  TuningBasis basis = TuningBasis::kNothing;
  double epsilon = 0;                // of the tuning; never below that of any single run
  std::optional<double> delta = {};  // the smallest among the runs
  // Of all runs composed: what holds if more than the best is published.
  double epsilon_of_all = 0;
  std::string adjacency = {};  // the adjacency that the ε are about
  std::string theorem = {};    // what the bound rests on
  std::string statement = {};  // in plain words
  // What a finite ε leaves out, or rests on, if a person has several records; mostly empty.
  std::string limits = {};
};

struct TunedRuns {
  std::vector<runs::RunCharge> charges;  // one per run, in their order
  std::vector<std::string> names;        // of the runs
  std::size_t repeats = 1;               // runs of a configuration
  bool complete = false;                 // every planned run has finished or failed
  std::optional<RandomCount> draw = {};
  double epsilon_of_best = 0;  // of the chosen run alone

  bool some_ended_early() const;
};

// Composition by privacy-loss distributions, heterogeneous. Runs under different adjacencies are
// all priced under replace-one, which every sampling has an analysis for. Never throws for what the
// runs did: what cannot be priced is unbounded.
TuningCost cost_of_tuning(const TunedRuns& runs);

}  // namespace sotto::sweep
