#include "runs/combined_cost.h"

#include <algorithm>

#include "core/counted.h"
#include "runs/charged_releases.h"
#include "runs/same_data.h"
#include "sotto/accounting/statement.h"

namespace sotto::runs {
namespace {

using accounting::rounded_up;

std::vector<const RunRecord*> chosen(const std::vector<RunRecord>& runs,
                                     const std::vector<std::size_t>& places) {
  std::vector<const RunRecord*> result;
  result.reserve(places.size());
  for (const auto place : places) result.push_back(&runs[place]);
  return result;
}

std::vector<KnownData> data_of_all(const std::vector<RunRecord>& runs) {
  std::vector<KnownData> data;
  data.reserve(runs.size());
  for (const auto& run : runs) data.push_back(data_of(run));
  return data;
}

std::vector<ChargedReleases> releases_of_all(const std::vector<const RunRecord*>& runs) {
  std::vector<ChargedReleases> all;
  all.reserve(runs.size());
  for (const auto* run : runs) all.push_back(releases_of(*run));
  return all;
}

std::string largest_epsilon(const std::vector<const RunRecord*>& runs) {
  double largest = 0;
  for (const auto* run : runs) largest = std::max(largest, run->epsilon());
  return rounded_up(largest);
}

// "" or what to add to the sentence.
std::string with_queries(const std::vector<const RunRecord*>& runs) {
  std::size_t count = 0;
  for (const auto* run : runs) count += run->queries().size();
  if (count == 0) return "";
  return "; with " + counted(count, "query", "queries") + " answered from their ledgers";
}

// "" or how those count that did not come to an end.
std::string interrupted_among(const std::vector<const RunRecord*>& runs) {
  const auto count =
      std::count_if(runs.begin(), runs.end(), [](const auto* run) { return !run->is_finished(); });
  if (count == 0) return "";
  return " " + std::to_string(count) + (count == 1 ? " run was" : " runs were") +
         " interrupted: all steps that were charged are counted.";
}

std::string sentence_for(const CombinedCost& combined, const std::vector<const RunRecord*>& runs,
                         const std::vector<ChargedReleases>& releases) {
  const std::string which = "The " + std::to_string(runs.size()) + " runs on " + combined.dataset +
                            " (the same data by " + combined.same_by + ")";
  if (!combined.cost) {
    return which +
           " protect in different ways (adjacency, or records per person): no single ε says what "
           "they promise together. "
           "Whoever publishes one in view of the others promises less than its own ε.";
  }
  const auto promises_nothing = [](const auto& one) { return one.unbounded; };
  if (std::any_of(releases.begin(), releases.end(), promises_nothing)) {
    return which +
           " include one that is NOT PRIVATE, or whose files contradict each other or are gone. A "
           "choice among "
           "them in view of it may reveal any "
           "record: together they promise nothing.";
  }
  return which +
         " cost more together than each alone: whoever publishes them all, or the best of "
         "them, promises ε ≤ " +
         rounded_up(combined.cost->epsilon) + " at δ = " + rounded_up(combined.cost->delta) +
         ", not the ε of one run (" + largest_epsilon(runs) + " at most)" + with_queries(runs) +
         ". This holds if the number of runs, and what each costs, was decided beforehand: whoever "
         "trains again until the result pleases must count every run that there might have been." +
         interrupted_among(runs) + condition_of_queries(releases);
}

}  // namespace

std::vector<CombinedCost> combined_costs(const std::vector<RunRecord>& runs) {
  std::vector<CombinedCost> result;
  for (const auto& places : places_by_data(data_of_all(runs))) {
    if (places.size() < 2) continue;
    const auto members = chosen(runs, places);
    std::vector<KnownData> data;
    data.reserve(members.size());
    for (const auto* run : members) data.push_back(data_of(*run));
    const auto releases = releases_of_all(members);
    CombinedCost combined{data_names(data), places, cost_together(releases), "",
                          same_data_by(data)};
    combined.sentence = sentence_for(combined, members, releases);
    result.push_back(std::move(combined));
  }
  return result;
}

std::optional<CostWithQueries> cost_with_queries(const RunRecord& run) {
  if (!run.is_private() || run.queries().empty()) return std::nullopt;
  const std::size_t count = run.queries().size();
  const auto releases = releases_of_all({&run});
  CostWithQueries result{count, cost_together(releases).value(), ""};
  result.sentence = counted(count, "query was", "queries were") +
                    " answered from the ledger of this run. The run and the answers together "
                    "promise ";
  if (!run.is_proved()) {
    result.sentence += "nothing: no ε is proved for the run.";
    return result;
  }
  result.sentence += "ε ≤ " + rounded_up(result.cost.epsilon) +
                     " at δ = " + rounded_up(result.cost.delta) + "." +
                     condition_of_queries(releases);
  return result;
}

}  // namespace sotto::runs
