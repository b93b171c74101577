// Laws that must hold for any run.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "accounting/gdp.h"
#include "accounting/rdp.h"
#include "sotto/accounting/accounting.h"

namespace sotto::accounting {
namespace {

// A number spread evenly over the decades from low to high.
rc::Gen<double> log_uniform(double low, double high) {
  return rc::gen::map(rc::gen::inRange(0, 1'000'001),
                      [=](int i) { return low * std::pow(high / low, i / 1e6); });
}

struct Run {
  double q;
  double sigma;
  std::int64_t steps;
  double delta;

  Composition composition() const { return {PoissonGaussianEvent(q, sigma), steps}; }
};

std::ostream& operator<<(std::ostream& out, const Run& run) {
  return out << "q " << run.q << ", sigma " << run.sigma << ", steps " << run.steps << ", delta "
             << run.delta;
}

Run any_run() {
  return {*log_uniform(1e-5, 1), *log_uniform(0.4, 20),
          static_cast<std::int64_t>(*log_uniform(1, 3e4)), *log_uniform(1e-11, 0.2)};
}

Enclosure pld(const Run& run) {
  return PldAccountant(run.composition(), Neighbours()).epsilon(run.delta);
}

// Two intervals of which the second value must not be smaller.
void assert_not_above(const Enclosure& smaller, const Enclosure& larger) {
  RC_ASSERT(smaller.lower <= larger.upper * (1 + 1e-12));
}

RC_GTEST_PROP(Properties, BoundsAreOrdered, ()) {
  const Run run = any_run();
  RC_LOG() << run;
  const auto interval = pld(run);
  const RdpAccountant rdp(run.composition(), Neighbours());
  const double improved = rdp.epsilon(run.delta, Conversion::kImproved).epsilon;
  const double classic = rdp.epsilon(run.delta, Conversion::kClassic).epsilon;
  RC_ASSERT(std::isfinite(interval.upper));
  RC_ASSERT(interval.lower >= 0);
  RC_ASSERT(interval.lower <= interval.upper);
  RC_ASSERT(interval.upper <= improved + 1e-12);
  RC_ASSERT(improved <= classic);
}

RC_GTEST_PROP(Properties, MoreNoiseNeverCostsMore, ()) {
  Run run = any_run();
  RC_LOG() << run;
  const auto before = pld(run);
  run.sigma *= *log_uniform(1.01, 3);
  assert_not_above(pld(run), before);
}

RC_GTEST_PROP(Properties, LargerSamplesMoreStepsAndSmallerDeltasNeverCostLess, ()) {
  const Run run = any_run();
  RC_LOG() << run;
  const auto before = pld(run);
  Run more_data = run;
  more_data.q = std::min(1.0, run.q * 1.3);
  assert_not_above(before, pld(more_data));
  Run longer = run;
  longer.steps = run.steps * 2;
  assert_not_above(before, pld(longer));
  Run stricter = run;
  stricter.delta = run.delta / 7;
  assert_not_above(before, pld(stricter));
}

RC_GTEST_PROP(Properties, RenyiIsMonotone, ()) {
  const Run run = any_run();
  RC_LOG() << run;
  const auto epsilon = [](const Run& r) {
    return RdpAccountant(r.composition(), Neighbours()).epsilon(r.delta).epsilon;
  };
  const double before = epsilon(run);
  RC_ASSERT(before >= 0);
  Run noisier = run;
  noisier.sigma *= 1.5;
  RC_ASSERT(epsilon(noisier) <= before * (1 + 1e-9));
  Run longer = run;
  longer.steps += 1;
  RC_ASSERT(epsilon(longer) >= before * (1 - 1e-9));
}

RC_GTEST_PROP(Properties, DivergenceGrowsWithTheOrder, ()) {
  const double q = *log_uniform(1e-9, 1);
  const double sigma = *log_uniform(0.05, 1000);
  const double alpha = 1 + *log_uniform(1e-6, 1000);
  RC_LOG() << "q " << q << ", sigma " << sigma << ", alpha " << alpha;
  const double rdp = rdp_poisson_gaussian(q, sigma, alpha);
  RC_ASSERT(std::isfinite(rdp));
  RC_ASSERT(rdp > 0);
  RC_ASSERT(rdp <= rdp_gaussian(sigma, alpha));
  RC_ASSERT(rdp_poisson_gaussian(q, sigma, alpha * 1.01) >= rdp * (1 - 1e-9));
}

RC_GTEST_PROP(Properties, EpsilonAndDeltaAgree, ()) {
  const Run run = any_run();
  RC_LOG() << run;
  const PldAccountant accountant(run.composition(), Neighbours());
  const auto epsilon = accountant.epsilon(run.delta);
  // At the upper end δ is affordable; at the lower end it is not more than affordable.
  RC_ASSERT(accountant.delta(epsilon.upper).lower <= run.delta);
  if (epsilon.lower > 0) RC_ASSERT(accountant.delta(epsilon.lower).upper >= run.delta * (1 - 1e-9));
}

RC_GTEST_PROP(Properties, CompositionIsSubadditive, ()) {
  Run run = any_run();
  run.steps = *rc::gen::inRange<std::int64_t>(1, 50);
  RC_LOG() << run;
  const auto together = pld(run);
  Run single = run;
  single.steps = 1;
  single.delta = run.delta / static_cast<double>(run.steps);
  RC_ASSERT(together.lower <= static_cast<double>(run.steps) * pld(single).upper * (1 + 1e-9));
}

RC_GTEST_PROP(Properties, OtherMechanismsHaveSaneIntervals, ()) {
  const auto count = *rc::gen::inRange<std::int64_t>(1, 40);
  const double noise = *log_uniform(0.3, 30);
  const double q = *log_uniform(1e-3, 1);
  const Neighbours replace(Adjacency::kReplaceOne);
  const Neighbours add_remove(Adjacency::kAddRemove);
  const auto sane = [](const Enclosure& interval) {
    return interval.lower >= 0 && interval.lower <= interval.upper && std::isfinite(interval.upper);
  };
  RC_LOG() << "count " << count << ", noise " << noise << ", q " << q;
  const auto laplace =
      PldAccountant(Composition(LaplaceEvent(noise), count), add_remove).epsilon(1e-6);
  RC_ASSERT(sane(laplace));
  RC_ASSERT(laplace.upper <= static_cast<double>(count) / noise * (1 + 1e-9));
  RC_ASSERT(
      sane(PldAccountant(Composition(LaplaceEvent(noise, q), count), add_remove).epsilon(1e-6)));
  RC_ASSERT(sane(
      PldAccountant(Composition(FixedSizeGaussianEvent(q, noise), count), replace).epsilon(1e-6)));
  RC_ASSERT(sane(
      PldAccountant(Composition(RandomizedResponseEvent(q, 5), count), replace).epsilon(1e-6)));
}

}  // namespace
}  // namespace sotto::accounting
