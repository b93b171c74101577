#include "sotto/plan/plan.h"

#include <algorithm>

#include "sotto/core/error.h"

namespace sotto {
namespace {

accounting::Event search_event(const Plan& plan, const accounting::Neighbours& neighbours) {
  if (neighbours.adjacency() == accounting::Adjacency::kReplaceOne) {
    throw NoValidAnalysis("searches for thresholds are priced under add-remove and zero-out only");
  }
  return *plan.threshold_search();
}

}  // namespace

std::int64_t Spend::repeated_searches() const {
  return std::max<std::int64_t>(0, searches - plan.threshold_searches(steps));
}

// Whether the other records overflow a batch is the same for both of two neighbours, so that each
// counts as a release that is private but for that chance.
std::int64_t Spend::filled_batches() const {
  const auto places = plan.places();
  if (!places || *places >= plan.dataset_size()) return 0;
  return steps + plan.threshold_searches(steps) + repeated_searches();
}

accounting::Composition Spend::composition(const accounting::Neighbours& neighbours) const {
  accounting::Composition composition;
  if (steps > 0) composition = plan.run_of(steps).composition(neighbours);
  if (plan.searches_thresholds()) {
    composition.add(search_event(plan, neighbours),
                    plan.threshold_searches(steps) + repeated_searches());
  }
  if (const auto batches = filled_batches(); batches > 0) {
    composition.add(accounting::BlackBoxEvent(0, kOverflow), batches);
  }
  for (const auto& release : plan.options().releases) {
    composition.add(accounting::GaussianEvent(release.noise_multiplier));
  }
  return composition;
}

accounting::PrivacyCost Spend::cost_at_delta(double delta,
                                             const accounting::AccountingOptions& options) const {
  return accounting::cost_at_delta(composition(), plan.neighbours(), delta, options);
}

}  // namespace sotto
