#include "runs/charged_releases.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanisms/renyi_options.h"
#include "runs/json_file.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

using accounting::Adjacency;
using accounting::Neighbours;
using accounting::PrivacyCost;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

  void add(const ChargedReleases& run, Composed& composed) {
    if (run.queries.empty()) return;
    const auto& budget = *run.budget;
    const bool has_delta = std::any_of(run.queries.begin(), run.queries.end(),
                                       [](const auto& query) { return query.cost.delta > 0; });
    double& delta = budget.tight ? fixed_delta : chosen.delta;
    if (has_delta) delta = sum_upwards(delta, budget.delta);
    for (const auto& query : run.queries) {
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
  } catch (const NoValidAnalysis&) {  // of some sampling or adjacency: the first one stands
  }
  cost.epsilon_lower.reset();
  return cost;
}

bool protect_alike(const Neighbours& one, const Neighbours& other) {
  return one.adjacency() == other.adjacency() && one.group_size() == other.group_size();
}

// What a query promises under add-remove it promises under zero-out, too: a blank matches nothing
// and adds nothing. For groups, and for records that are replaced, it has no price here.
bool add_up_with_queries(const Neighbours& neighbours) {
  return neighbours.adjacency() != Adjacency::kReplaceOne && neighbours.group_size() == 1;
}

// Under which all of them are priced; nothing if there is no such.
std::optional<Neighbours> common_protection(const std::vector<ChargedReleases>& all) {
  std::optional<Neighbours> common;
  bool asked = false;
  for (const auto& one : all) {
    asked |= !one.queries.empty();
    if (!one.neighbours) continue;
    if (common && !protect_alike(*common, *one.neighbours)) return std::nullopt;
    common = one.neighbours;
  }
  if (!common) return Neighbours(Adjacency::kAddRemove);
  return asked && !add_up_with_queries(*common) ? std::nullopt : common;
}

// Training, held-out releases and the queries that are composed.
Composed composed_releases(const std::vector<ChargedReleases>& all, QueryCosts& queries) {
  Composed composed;
  for (const auto& one : all) {
    for (const auto& part : one.training.parts()) composed.add(part.event, part.count);
    // Held out in one run, a record may be trained on in another: nothing is saved by sides here.
    if (one.held_out_epsilon) composed.add(accounting::BlackBoxEvent(*one.held_out_epsilon, 0));
    queries.add(one, composed);
  }
  return composed;
}

// In each run a record is either trained on or held out, and pays the larger of the two; what it
// pays in several runs adds up, each at its share of δ. Less than composing both sides of all runs
// where much was held out. Nothing if nobody held out anything, or queries are composed with runs.
std::optional<double> sum_by_sides(const std::vector<ChargedReleases>& all, double delta) {
  std::int64_t runs = 0;
  bool held_out = false;
  for (const auto& one : all) {
    if (!one.queries.empty() && one.budget->tight) return std::nullopt;
    if (one.neighbours) ++runs;
    held_out |= one.held_out_epsilon.has_value();
  }
  if (!held_out) return std::nullopt;
  double sum = 0;
  for (const auto& one : all) {
    if (!one.neighbours) continue;
    const double share = std::nextafter(delta / static_cast<double>(runs), 0.0);
    const auto trained = accounting::cost_at_delta(one.training, *one.neighbours, share);
    sum = sum_upwards(sum, std::max(trained.epsilon, one.held_out_epsilon.value_or(0)));
  }
  return sum;
}

// Without any δ: the queries of tight budgets are pure then, and add up.
double sum_of_pure(const std::vector<ChargedReleases>& all) {
  double sum = 0;
  for (const auto& one : all) {
    if (!one.budget || !one.budget->tight) continue;
    for (const auto& query : one.queries) sum = sum_upwards(sum, query.cost.epsilon);
  }
  return sum;
}

PrivacyCost infinite_cost() {
  PrivacyCost none;
  none.epsilon = kInfinity;
  return none;
}

}  // namespace

std::string why_unbounded(const RunRecord& run) {
  if (!run.contradictions().empty()) return run.contradictions().front();
  return text_in(run.privacy().at("statement"), "promise");
}

ChargedReleases releases_of(const RunRecord& run) {
  ChargedReleases releases;
  releases.unbounded = !run.is_proved();
  if (releases.unbounded) return releases;
  releases.neighbours = run.plan()->neighbours();
  releases.training = run.spend().composition();
  releases.delta = *run.delta();
  releases.held_out_epsilon = run.held_out_epsilon();
  releases.queries = run.queries();
  releases.budget = run.query_budget();
  return releases;
}

ChargedReleases releases_of(const LedgerQueries& ledger) {
  ChargedReleases releases;
  releases.unbounded = !ledger.unknown.empty();
  releases.queries = ledger.queries;
  releases.budget = ledger.budget;
  return releases;
}

std::optional<PrivacyCost> cost_together(const std::vector<ChargedReleases>& all) {
  const bool unbounded =
      std::any_of(all.begin(), all.end(), [](const auto& one) { return one.unbounded; });
  if (unbounded) return infinite_cost();
  const auto neighbours = common_protection(all);
  if (!neighbours) return std::nullopt;
  QueryCosts queries;
  const auto composed = composed_releases(all, queries);
  double delta = queries.fixed_delta;
  const bool trained =
      std::any_of(all.begin(), all.end(), [](const auto& one) { return one.neighbours; });
  if (trained) {
    double smallest = 1;
    for (const auto& one : all) smallest = std::min(smallest, one.delta);
    delta += smallest;
  }
  if (delta >= 1) return infinite_cost();
  PrivacyCost cost;
  if (delta > 0) {
    cost = cheaper(composed, *neighbours, delta, queries.has_gaussians);
    if (const auto sum = sum_by_sides(all, delta); sum && *sum < cost.epsilon) {
      cost.epsilon = *sum;
      cost.epsilon_lower.reset();
    }
  } else {
    cost.epsilon = sum_of_pure(all);
    cost.delta = 0;
  }
  cost.epsilon = sum_upwards(cost.epsilon, queries.chosen.epsilon);
  cost.delta = sum_upwards(cost.delta, queries.chosen.delta);
  if (queries.chosen.epsilon > 0) cost.epsilon_lower.reset();
  return cost;
}

std::string condition_of_queries(const std::vector<ChargedReleases>& all) {
  const bool tight = std::any_of(all.begin(), all.end(), [](const auto& one) {
    return !one.queries.empty() && one.budget->tight;
  });
  if (!tight) return "";
  return " The queries of a tight budget count as composed: their number, and the ε of each, must "
         "have been decided before any answer or model was seen.";
}

}  // namespace sotto::runs
