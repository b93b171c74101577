#include "sweep/tuning_cost.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "plan/training_ledger.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/core/error.h"
#include "sweep/tuning_statement.h"

namespace sotto::sweep {
namespace {

using accounting::Adjacency;
using accounting::Composition;
using accounting::Neighbours;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What the price of a step depends on: equal keys, equal events.
using PriceKey = std::tuple<accounting::Sampling, Adjacency, std::int64_t, std::int64_t,
                            std::int64_t, double, std::vector<std::pair<std::string, double>>,
                            std::optional<double>, std::optional<std::int64_t>>;

PriceKey price_key(const Plan& plan) {
  const auto& options = plan.options();
  std::vector<std::pair<std::string, double>> releases;
  for (const auto& one : options.releases) releases.emplace_back(one.name, one.noise_multiplier);
  std::optional<double> searched;
  if (const auto search = plan.threshold_search()) searched = search->epsilon();
  return {
      options.sampling,  plan.neighbours().adjacency(), options.group_size,  plan.dataset_size(),
      plan.batch_size(), options.noise_multiplier,      std::move(releases), searched,
      plan.places()};
}

// The same events in a row become one with a count: the accountant's work grows with their number.
Composition sum_of(const Composition& left, const Composition& right) {
  Composition sum;
  for (std::size_t i = 0; i < left.parts().size(); ++i) {
    sum.add(left.parts()[i].event, left.parts()[i].count + right.parts()[i].count);
  }
  return sum;
}

std::vector<Spend> spends_of(const TunedRuns& runs) {
  std::vector<Spend> spends;
  for (const auto& charge : runs.charges) {
    if (charge.ledger) spends.push_back(training_spend(*charge.ledger));
  }
  return spends;
}

Neighbours common_neighbours(const std::vector<Spend>& spends) {
  const Neighbours first = spends.front().plan.neighbours();
  int group = first.group_size();
  bool same = true;
  for (const auto& spend : spends) {
    const auto neighbours = spend.plan.neighbours();
    group = std::max(group, neighbours.group_size());
    same = same && neighbours.adjacency() == first.adjacency();
  }
  return Neighbours(same ? first.adjacency() : Adjacency::kReplaceOne, group);
}

Composition composition_of(const std::vector<Spend>& spends, const Neighbours& neighbours) {
  std::map<PriceKey, Composition> by_price;
  for (const auto& spend : spends) {
    const Composition one = spend.composition(neighbours);
    const auto [place, is_new] = by_price.emplace(price_key(spend.plan), one);
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
std::optional<double> cost_by_random_count(const TunedRuns& runs, const std::vector<Spend>& spends,
                                           const Neighbours& neighbours, double delta) {
  if (!runs.draw || !runs.complete || runs.some_ended_early()) return std::nullopt;
  // Searches that an interruption made necessary again make runs of one plan cost differently.
  if (spends.front().plan.searches_thresholds()) return std::nullopt;
  const PriceKey price = price_key(spends.front().plan);
  for (const auto& spend : spends) {
    if (price_key(spend.plan) != price) return std::nullopt;
  }
  const auto longest =
      std::max_element(spends.begin(), spends.end(),
                       [](const Spend& a, const Spend& b) { return a.steps < b.steps; });
  try {
    const Composition one =
        longest->composition(neighbours).repeated(static_cast<std::int64_t>(runs.repeats));
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

TuningCost bounded_cost(const TunedRuns& runs) {
  const auto spends = spends_of(runs);
  const Neighbours neighbours = common_neighbours(spends);
  TuningCost cost;
  cost.delta = smallest_delta(runs);
  cost.adjacency = neighbours.group_size() == 1 ? std::string(to_string(neighbours.adjacency()))
                                                : neighbours.describe();
  // Both are upper bounds: the larger one is one, too, and never below a single run's.
  cost.epsilon_of_all = std::max(
      runs.epsilon_of_best,
      accounting::cost_at_delta(composition_of(spends, neighbours), neighbours, *cost.delta)
          .epsilon);
  const auto by_count = cost_by_random_count(runs, spends, neighbours, *cost.delta);
  cost.basis = by_count ? TuningBasis::kRandomCount : TuningBasis::kComposition;
  cost.epsilon = by_count ? std::max(runs.epsilon_of_best, *by_count) : cost.epsilon_of_all;
  cost.theorem = theorem_of(runs, cost.basis);
  cost.statement = bounded_statement(runs, cost, spends.size());
  return cost;
}

}  // namespace

bool TunedRuns::some_ended_early() const {
  return std::any_of(charges.begin(), charges.end(),
                     [](const runs::RunCharge& one) { return one.ended_early; });
}

std::string_view to_string(TuningBasis basis) {
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
  const bool untouched =
      std::none_of(runs.charges.begin(), runs.charges.end(),
                   [](const runs::RunCharge& one) { return one.ledger.has_value(); });
  if (untouched) {
    TuningCost cost;
    cost.statement = "No run has used the training data yet.";
    return cost;
  }
  try {
    return bounded_cost(runs);
  } catch (const InvalidArgument& error) {
    return unbounded_cost(runs, "", error.what());
  }
}

}  // namespace sotto::sweep
