#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanisms/renyi_options.h"
#include "runs/combined_cost.h"
#include "runs/same_data.h"
#include "sotto/accounting/statement.h"

namespace sotto::runs {
namespace {

using accounting::PrivacyCost;
using accounting::rounded_up;

std::vector<const RunRecord*> chosen(const std::vector<RunRecord>& runs,
                                     const std::vector<std::size_t>& places) {
  std::vector<const RunRecord*> result;
  result.reserve(places.size());
  for (const auto place : places) result.push_back(&runs[place]);
  return result;
}

double sum_upwards(double a, double b) {
  return b == 0 ? a : std::nextafter(a + b, std::numeric_limits<double>::infinity());
}

// The same releases for two accountants. The privacy-loss distribution of continuous noise does not
// dominate that of discrete noise (for counts its δ is several times too small), but its Rényi
// divergences do (arXiv:2004.00010, Theorem 4): to the first, a query with discrete Gaussian noise
// is no more than its own (ε, δ).
struct Composed {
  accounting::Composition by_losses;
  accounting::Composition by_divergences;

  void add(const accounting::Event& event, std::int64_t count = 1) {
    by_losses.add(event, count);
    by_divergences.add(event, count);
  }
  void add(const AnsweredQuery& query) {
    const accounting::BlackBoxEvent black_box(query.cost.epsilon, query.cost.delta);
    by_losses.add(black_box);
    if (query.gaussian_multiplier) {
      by_divergences.add(accounting::GaussianEvent(*query.gaussian_multiplier));
    } else {
      by_divergences.add(black_box);
    }
  }
};

// A composition's ε is proved for events that were fixed beforehand, as `tight` budgets assume of
// their queries; at any δ that was fixed as well. Whoever asks with a basic one may choose how much
// to spend, and when to stop, in view of the answers: then only the sum of what was spent holds,
// and the δ that the budget allows in all. (An (ε, δ) release is an ε-private one but for an event
// of chance δ, and off those events the losses add up path by path. A basic budget bounds the sum
// of the queries' δ; a tight one does not.)
struct QueryCosts {
  accounting::EpsilonDelta chosen{0, 0};  // to be added to the composition's
  double fixed_delta = 0;                 // to be added to the δ at which it is taken
  bool has_gaussians = false;             // among those that are composed

  void add(const RunRecord& run, Composed& composed) {
    if (run.queries().empty()) return;
    const auto& budget = *run.query_budget();
    const bool has_delta = std::any_of(run.queries().begin(), run.queries().end(),
                                       [](const auto& query) { return query.cost.delta > 0; });
    double& delta = budget.tight ? fixed_delta : chosen.delta;
    if (has_delta) delta = sum_upwards(delta, budget.delta);
    for (const auto& query : run.queries()) {
      if (!budget.tight) {
        chosen.epsilon = sum_upwards(chosen.epsilon, query.cost.epsilon);
      } else {
        has_gaussians |= query.gaussian_multiplier.has_value();
        composed.add(query);
      }
    }
  }
};

// The smaller of what the two ways to account give: both are upper bounds.
PrivacyCost cheaper(const Composed& composed, const accounting::Neighbours& neighbours,
                    double delta, bool has_gaussians) {
  auto cost = accounting::cost_at_delta(composed.by_losses, neighbours, delta);
  if (!has_gaussians) return cost;
  try {
    const auto renyi = accounting::cost_at_delta(composed.by_divergences, neighbours, delta,
                                                 mechanisms::renyi_options());
    if (renyi.epsilon < cost.epsilon) cost = renyi;
  } catch (const NoValidAnalysis&) {  // of some sampling or relation: the first one stands
  }
  cost.epsilon_lower.reset();
  return cost;
}

bool same(const accounting::Neighbours& a, const accounting::Neighbours& b) {
  return a.relation() == b.relation() && a.group_size() == b.group_size();
}

// All releases of all runs, one after another, under the relation that they share.
std::optional<PrivacyCost> cost_of(const std::vector<const RunRecord*>& runs) {
  PrivacyCost none;
  none.epsilon = std::numeric_limits<double>::infinity();
  Composed composed;
  std::optional<accounting::Neighbours> neighbours;
  QueryCosts queries;
  double delta = 1;
  for (const auto* run : runs) {
    const auto plan = run->plan();
    if (!plan || !run->contradictions().empty()) return none;
    if (neighbours && !same(*neighbours, plan->neighbours())) return std::nullopt;
    neighbours = plan->neighbours();
    delta = std::min(delta, *run->delta());
    const auto released = run->spend().composition();
    for (const auto& part : released.parts()) {
      composed.add(part.event, part.count);
    }
    // Held out in one run, a record may be trained on in another: nothing is saved by sides here.
    if (const auto held_out = run->held_out_epsilon()) {
      composed.add(accounting::BlackBoxEvent(*held_out, 0));
    }
    queries.add(*run, composed);
  }
  if (delta + queries.fixed_delta >= 1) return none;
  auto cost = cheaper(composed, *neighbours, delta + queries.fixed_delta, queries.has_gaussians);
  cost.epsilon = sum_upwards(cost.epsilon, queries.chosen.epsilon);
  cost.delta = sum_upwards(cost.delta, queries.chosen.delta);
  if (queries.chosen.epsilon > 0) cost.epsilon_lower.reset();
  return cost;
}

std::string largest_epsilon(const std::vector<const RunRecord*>& runs) {
  double largest = 0;
  for (const auto* run : runs) largest = std::max(largest, run->epsilon());
  return rounded_up(largest);
}

// "" or what to add to the sentence.
std::string queries_in(const std::vector<const RunRecord*>& runs) {
  std::size_t count = 0;
  for (const auto* run : runs) count += run->queries().size();
  if (count == 0) return "";
  return "; with " + std::to_string(count) + (count == 1 ? " query" : " queries") +
         " answered from their ledgers";
}

// "" or what the promise of composed queries rests on.
std::string condition_of_queries(const std::vector<const RunRecord*>& runs) {
  const bool tight = std::any_of(runs.begin(), runs.end(), [](const auto* run) {
    return !run->queries().empty() && run->query_budget()->tight;
  });
  if (!tight) return "";
  return " The queries of a tight budget count as composed: their number, and the ε of each, must "
         "have been decided before any answer or model was seen.";
}

std::string sentence_for(const CombinedCost& combined, const std::vector<const RunRecord*>& runs) {
  const std::string which = "The " + std::to_string(runs.size()) + " runs on " + combined.dataset +
                            " (the same data by " + combined.same_by + ")";
  if (!combined.cost) {
    return which +
           " protect in different ways (relations): no single ε says what they promise together. "
           "Whoever publishes one in view of the others promises less than its own ε.";
  }
  const auto promises_nothing = [](const auto* run) {
    return !run->is_private() || !run->contradictions().empty();
  };
  if (std::any_of(runs.begin(), runs.end(), promises_nothing)) {
    return which +
           " include one that is NOT PRIVATE, or whose files contradict each other. A choice among "
           "them in view of it may reveal any "
           "record: together they promise nothing.";
  }
  return which +
         " cost more together than each alone: whoever publishes them all, or the best of "
         "them, promises ε ≤ " +
         rounded_up(combined.cost->epsilon) + " at δ = " + rounded_up(combined.cost->delta) +
         ", not the ε of one run (" + largest_epsilon(runs) + " at most)" + queries_in(runs) +
         ". This holds if the number of runs, and what each costs, was decided beforehand: whoever "
         "trains again until the result pleases must count every run that there might have been." +
         condition_of_queries(runs);
}

}  // namespace

std::vector<CombinedCost> combined_costs(const std::vector<RunRecord>& runs) {
  std::vector<CombinedCost> result;
  for (const auto& places : runs_by_data(runs)) {
    if (places.size() < 2) continue;
    const auto members = chosen(runs, places);
    CombinedCost combined{data_names(members), places, cost_of(members), "", same_data_by(members)};
    combined.sentence = sentence_for(combined, members);
    result.push_back(std::move(combined));
  }
  return result;
}

std::optional<CostWithQueries> cost_with_queries(const RunRecord& run) {
  if (!run.is_private() || run.queries().empty()) return std::nullopt;
  const std::size_t count = run.queries().size();
  CostWithQueries result{count, cost_of({&run}).value(), ""};
  result.sentence = std::to_string(count) + (count == 1 ? " query was" : " queries were") +
                    " answered from the ledger of this run. The run and the answers together "
                    "promise ε ≤ " +
                    rounded_up(result.cost.epsilon) + " at δ = " + rounded_up(result.cost.delta) +
                    "." + condition_of_queries({&run});
  return result;
}

}  // namespace sotto::runs
