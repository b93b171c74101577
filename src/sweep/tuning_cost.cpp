#include "sotto/sweep/tuning_cost.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sotto/accounting/privacy_cost.h"
#include "sotto/core/error.h"
#include "sotto/plan/training_composition.h"
#include "sweep/tuning_statement.h"

namespace sotto::sweep {
namespace {

using accounting::Composition;
using accounting::Neighbours;
using accounting::Relation;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What the price of a step depends on: equal texts, equal events.
std::string price_key(const LedgerContents& ledger) {
  nlohmann::json key;
  for (const auto* name : {"sampling", "relation", "dataset_size", "batch_size", "noise_multiplier",
                           "releases", "threshold_epsilon"}) {
    key[name] = ledger.plan.value(name, nlohmann::json());
  }
  return key.dump();
}

// The same events in a row become one with a count: the accountant's work grows with their number.
Composition sum_of(const Composition& left, const Composition& right) {
  Composition sum;
  for (std::size_t i = 0; i < left.parts().size(); ++i) {
    sum.add(left.parts()[i].event, left.parts()[i].count + right.parts()[i].count);
  }
  return sum;
}

std::vector<const LedgerContents*> ledgers_of(const TunedRuns& runs) {
  std::vector<const LedgerContents*> ledgers;
  for (const auto& charge : runs.charges) {
    if (charge.ledger) ledgers.push_back(&*charge.ledger);
  }
  return ledgers;
}

Neighbours common_neighbours(const std::vector<const LedgerContents*>& ledgers) {
  const Relation first = training_relation(*ledgers.front());
  const bool same = std::all_of(ledgers.begin(), ledgers.end(), [&](const auto* ledger) {
    return training_relation(*ledger) == first;
  });
  return Neighbours(same ? first : Relation::kReplaceOne);
}

Composition composition_of(const std::vector<const LedgerContents*>& ledgers,
                           const Neighbours& neighbours) {
  std::map<std::string, Composition> by_price;
  for (const auto* ledger : ledgers) {
    const Composition one = training_composition(*ledger, neighbours);
    const auto [place, is_new] = by_price.emplace(price_key(*ledger), one);
    // Interrupted before its first step, a run may have fewer parts than others.
    if (!is_new && place->second.parts().size() == one.parts().size()) {
      place->second = sum_of(place->second, one);
    } else if (!is_new) {
      for (const auto& part : one.parts()) place->second.add(part.event, part.count);
    }
  }
  Composition all;
  for (const auto& [key, composition] : by_price) {
    for (const auto& part : composition.parts()) all.add(part.event, part.count);
  }
  return all;
}

// Every run is priced like the one that took most steps; a configuration is all of its repeats.
std::optional<double> cost_by_random_count(const TunedRuns& runs,
                                           const std::vector<const LedgerContents*>& ledgers,
                                           const Neighbours& neighbours, double delta) {
  if (!runs.draw || !runs.complete) return std::nullopt;
  // Searches that an interruption made necessary again make runs of one plan cost differently.
  if (ledgers.front()->plan.contains("threshold_epsilon")) return std::nullopt;
  const std::string price = price_key(*ledgers.front());
  for (const auto* ledger : ledgers) {
    if (price_key(*ledger) != price) return std::nullopt;
  }
  const auto* longest = *std::max_element(
      ledgers.begin(), ledgers.end(),
      [](const auto* a, const auto* b) { return a->steps_charged < b->steps_charged; });
  try {
    const Composition one = training_composition(*longest, neighbours)
                                .repeated(static_cast<std::int64_t>(runs.repeats));
    return runs.draw->cost_of_best(accounting::RdpAccountant(one, neighbours), delta).epsilon;
  } catch (const NoValidAnalysis&) {
    return std::nullopt;
  }
}

double smallest_delta(const TunedRuns& runs) {
  double delta = 1;
  for (const auto& charge : runs.charges) {
    if (charge.ledger) delta = std::min(delta, charge.delta);
  }
  return delta;
}

TuningCost unbounded_cost(const TunedRuns& runs, const std::string& run, const std::string& why) {
  TuningCost cost;
  cost.basis = TuningBasis::kUnbounded;
  cost.epsilon = cost.epsilon_of_all = kInfinity;
  cost.statement = unbounded_statement(runs, run, why);
  return cost;
}

TuningCost bounded_cost(const TunedRuns& runs, const std::vector<const LedgerContents*>& ledgers) {
  const Neighbours neighbours = common_neighbours(ledgers);
  TuningCost cost;
  cost.delta = smallest_delta(runs);
  cost.relation = name(neighbours.relation());
  // Both are upper bounds: the larger one is one, too, and never below a single run's.
  cost.epsilon_of_all = std::max(
      runs.epsilon_of_best,
      accounting::cost_at_delta(composition_of(ledgers, neighbours), neighbours, *cost.delta)
          .epsilon);
  const auto by_count = cost_by_random_count(runs, ledgers, neighbours, *cost.delta);
  cost.basis = by_count ? TuningBasis::kRandomCount : TuningBasis::kComposition;
  cost.epsilon = by_count ? std::max(runs.epsilon_of_best, *by_count) : cost.epsilon_of_all;
  cost.theorem = theorem_of(runs, cost.basis);
  cost.statement = bounded_statement(runs, cost, ledgers.size());
  return cost;
}

}  // namespace

std::string_view name(TuningBasis basis) {
  switch (basis) {
    case TuningBasis::kComposition:
      return "composition";
    case TuningBasis::kRandomCount:
      return "random-number-of-runs";
    case TuningBasis::kUnbounded:
      return "unbounded";
    case TuningBasis::kNothing:
      return "nothing";
  }
  return "";
}

TuningCost cost_of_tuning(const TunedRuns& runs) {
  for (std::size_t i = 0; i < runs.charges.size(); ++i) {
    const std::string& why = runs.charges[i].unbounded;
    if (!why.empty()) return unbounded_cost(runs, runs.names[i], why);
  }
  const auto ledgers = ledgers_of(runs);
  if (ledgers.empty()) {
    TuningCost cost;
    cost.statement = "No run has used the training data yet.";
    return cost;
  }
  try {
    return bounded_cost(runs, ledgers);
  } catch (const InvalidArgument& error) {
    return unbounded_cost(runs, "", error.what());
  }
}

}  // namespace sotto::sweep
