#include "runs/data_spend.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/counted.h"
#include "sotto/accounting/statement.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

using accounting::PrivacyCost;
using accounting::rounded_up;

std::size_t count_of(const std::vector<Spender>& spenders, SpenderState state) {
  return static_cast<std::size_t>(std::count_if(
      spenders.begin(), spenders.end(), [&](const auto& one) { return one.state == state; }));
}

std::vector<ChargedReleases> releases_of_all(const std::vector<Spender>& spenders) {
  std::vector<ChargedReleases> all;
  all.reserve(spenders.size());
  for (const auto& one : spenders) all.push_back(one.releases);
  return all;
}

// One alone costs what it says; several are composed.
std::optional<PrivacyCost> cost_of_all(const std::vector<Spender>& spenders) {
  if (spenders.size() == 1) {
    PrivacyCost cost;
    cost.epsilon = spenders.front().epsilon;
    cost.delta = spenders.front().delta;
    return cost;
  }
  return cost_together(releases_of_all(spenders));
}

std::string where_it_holds(const std::vector<Spender>& spenders) {
  std::string text;
  if (const auto count = count_of(spenders, SpenderState::kInterrupted); count > 0) {
    text += " " + counted(count, "run did", "runs did") +
            " not finish: all steps that were charged are counted.";
  }
  const auto ended_early = [](const Spender& one) {
    return one.state == SpenderState::kInterrupted || one.state == SpenderState::kEndedEarly;
  };
  if (spenders.size() > 1 || std::any_of(spenders.begin(), spenders.end(), ended_early)) {
    text +=
        " This holds if how many runs there are, and when each ends, was decided without looking "
        "at "
        "any results.";
  }
  text += condition_of_queries(releases_of_all(spenders));
  const bool by_content = std::any_of(spenders.begin(), spenders.end(), [](const Spender& one) {
    return one.kind == SpenderKind::kQueries && one.data.name.empty();
  });
  if (by_content) {
    text +=
        " Ledgers of queries know a table by its content alone: one that was made for another "
        "version of it counts separately, and has to be added by hand.";
  }
  const bool several = std::any_of(spenders.begin(), spenders.end(),
                                   [](const auto& one) { return one.one_of_several; });
  if (several) {
    text +=
        " Some are runs of a sweep: where the number of its runs was drawn and must stay secret, "
        "so must this sum.";
  }
  return text;
}

std::string sentence_about(const DataSpend& spend) {
  if (!spend.cost) {
    return "They protect in different ways (adjacency, or records per person): no single ε says "
           "what they cost together.";
  }
  if (!std::isfinite(spend.cost->epsilon)) {
    return "At least one of them is NOT PRIVATE, or nobody can tell what it cost: together they "
           "promise nothing.";
  }
  return std::string(spend.spenders.size() == 1 ? "This promises" : "Together they promise") +
         " ε ≤ " + rounded_up(spend.cost->epsilon) + " at δ = " + rounded_up(spend.cost->delta) +
         " to every record, if all results are published." + where_it_holds(spend.spenders);
}

DataSpend spend_of(std::vector<Spender> spenders) {
  std::vector<KnownData> data;
  data.reserve(spenders.size());
  for (const auto& one : spenders) data.push_back(one.data);
  DataSpend spend;
  spend.dataset = data_names(data);
  if (spenders.size() > 1) spend.same_by = same_data_by(data);
  spend.cost = cost_of_all(spenders);
  spend.spenders = std::move(spenders);
  spend.sentence = sentence_about(spend);
  return spend;
}

bool is_among(const KnownData& data, const DataSpend& spend) {
  return std::any_of(spend.spenders.begin(), spend.spenders.end(),
                     [&](const auto& one) { return is_same(data, one.data); });
}

}  // namespace

SpentBudgets spent_by_data(const std::vector<Spender>& spenders) {
  SpentBudgets budgets;
  std::vector<Spender> known;
  for (const auto& one : spenders) {
    (one.data.is_known() ? known : budgets.unknown).push_back(one);
  }
  std::vector<KnownData> data;
  data.reserve(known.size());
  for (const auto& one : known) data.push_back(one.data);
  for (const auto& places : places_by_data(data)) {
    std::vector<Spender> same;
    same.reserve(places.size());
    for (const auto place : places) same.push_back(known[place]);
    budgets.by_data.push_back(spend_of(std::move(same)));
  }
  return budgets;
}

std::optional<DataSpend> spent_on(const KnownData& data, const SpentBudgets& budgets) {
  std::vector<Spender> found;
  for (const auto& spend : budgets.by_data) {
    if (!is_among(data, spend)) continue;
    found.insert(found.end(), spend.spenders.begin(), spend.spenders.end());
  }
  if (found.empty()) return std::nullopt;
  return spend_of(std::move(found));
}

}  // namespace sotto::runs
