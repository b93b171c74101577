// Both ends of ε and δ against answers obtained in other ways.
#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <memory>

#include "accounting/directed_composition.h"
#include "accounting/event_losses.h"
#include "accounting/gaussian_pair.h"
#include "accounting/laplace_pair.h"
#include "core/normal.h"
#include "sotto/accounting/accounting.h"

namespace sotto::accounting {
namespace {

constexpr std::size_t kLongest = std::size_t{1} << 19U;

// δ of two releases, by integration: δ₂(ε) = E_{z~P}[δ₁(ε - loss(z))], with δ₁ exact.
double two_step_delta(const PrivacyPair& pair, double epsilon) {
  const Range range = pair.central_range(1e-18);
  const int cells = 20'000;
  const double width = (range.high - range.low) / cells;
  double sum = 0;
  Cut left = pair.cut(range.low);
  for (int i = 0; i < cells; ++i) {
    const double z = range.low + i * width;
    const Cut right = pair.cut(z + width);
    sum += between(left, right).p * hockey_stick(pair, epsilon - pair.loss(z + width / 2));
    left = right;
  }
  return sum;
}

void expect_two_steps_bracketed(const LossSources& sources,
                                const std::shared_ptr<const PrivacyPair>& pair, double epsilon) {
  const ReversedPair reversed(pair);
  const std::vector<std::pair<std::shared_ptr<const LossSource>, double>> directions = {
      {sources.forward, two_step_delta(*pair, epsilon)},
      {sources.backward, two_step_delta(reversed, epsilon)}};
  for (const auto& [source, expected] : directions) {
    const auto interval = DirectedComposition({{source, 2}}, 1e-100, kLongest).delta(epsilon, 1e-3);
    EXPECT_LE(interval.lower, expected * (1 + 1e-6) + 1e-15) << "epsilon " << epsilon;
    EXPECT_GE(interval.upper, expected * (1 - 1e-6) - 1e-15) << "epsilon " << epsilon;
    if (expected > 1e-30) {
      EXPECT_LE(interval.relative_width(), 0.05) << "epsilon " << epsilon;
    }
  }
}

TEST(Enclosures, TwoStepsAgreeWithIntegration) {
  for (const double q : {0.02, 0.4, 0.95}) {
    for (const double sigma : {0.6, 1.0, 3.0}) {
      const auto sources = loss_sources(PoissonGaussianEvent(q, sigma), Neighbours());
      const auto pair = std::make_shared<PoissonGaussianPair>(q, 1 / sigma);
      for (const double epsilon : {0.0, 0.05, 0.5, 2.0}) {
        expect_two_steps_bracketed(sources, pair, epsilon);
      }
    }
  }
}

TEST(Enclosures, TwoStepsOfOtherMechanismsToo) {
  const Neighbours replace(Adjacency::kReplaceOne);
  for (const double epsilon : {0.01, 0.3, 1.0}) {
    expect_two_steps_bracketed(loss_sources(PoissonGaussianEvent(0.3, 1.2), replace),
                               std::make_shared<PoissonReplaceGaussianPair>(0.3, 1 / 1.2), epsilon);
    expect_two_steps_bracketed(loss_sources(LaplaceEvent(1.5), Neighbours()),
                               std::make_shared<LaplacePair>(1, 1 / 1.5), epsilon);
    expect_two_steps_bracketed(loss_sources(LaplaceEvent(0.7, 0.25), Neighbours()),
                               std::make_shared<LaplacePair>(0.25, 1 / 0.7), epsilon);
    expect_two_steps_bracketed(
        loss_sources(PoissonGaussianEvent(0.1, 1), Neighbours(Adjacency::kAddRemove, 4)),
        std::make_shared<GaussianMixturePair>(binomial_components(4, 0.1, 1),
                                              std::vector<GaussianComponent>{{0, 0}}),
        epsilon);
  }
}

// Full batches compose to one Gaussian, of which everything is known; the transform must not know.
TEST(Enclosures, GaussiansAgreeWithTheClosedForm) {
  for (const double sigma : {0.5, 3.0, 40.0}) {
    for (const std::int64_t steps : {1, 7, 1000, 200'000}) {
      const double total = sigma / std::sqrt(static_cast<double>(steps));
      const auto source = loss_sources(GaussianEvent(sigma), Neighbours()).forward;
      for (const double delta : {0.1, 1e-6, 1e-30, 1e-100}) {
        const double exact = gaussian_epsilon(total, delta);
        const auto interval =
            DirectedComposition({{source, steps}}, delta, kLongest).epsilon(delta, 1e-3);
        EXPECT_LE(interval.lower, exact * (1 + 1e-9)) << sigma << ' ' << steps << ' ' << delta;
        EXPECT_GE(interval.upper, exact * (1 - 1e-9)) << sigma << ' ' << steps << ' ' << delta;
        const bool has_meaning = exact > 1e-3 && exact < 1e5;
        if (has_meaning) {
          EXPECT_LE(interval.relative_width(), 1e-3) << sigma << ' ' << steps << ' ' << delta;
        }
      }
    }
  }
}

// An attack: watch whether each step's output exceeds a threshold and count. It is one particular
// test, so what it achieves is a lower bound on δ that owes nothing to loss distributions.
double best_counting_attack(double q, double sigma, std::int64_t steps, double epsilon) {
  double best = 0;
  for (const double threshold : {0.5, 1.0, 1.5, 2.0, 3.0}) {
    const double without = normal_cdf(-threshold);
    const double with = (1 - q) * without + q * normal_cdf(1 / sigma - threshold);
    const boost::math::binomial with_count(static_cast<double>(steps), with);
    const boost::math::binomial without_count(static_cast<double>(steps), without);
    for (std::int64_t count = 0; count < steps; count += 1 + steps / 2000) {
      const double achieved =
          cdf(complement(with_count, static_cast<double>(count))) -
          std::exp(epsilon) * cdf(complement(without_count, static_cast<double>(count)));
      best = std::max(best, achieved);
    }
  }
  return best;
}

TEST(Enclosures, NoAttackBeatsTheUpperBound) {
  for (const double q : {0.01, 0.1, 0.5}) {
    for (const double sigma : {0.5, 1.0, 2.0}) {
      for (const std::int64_t steps : {1, 20, 3000}) {
        const PldAccountant accountant(Composition(PoissonGaussianEvent(q, sigma), steps),
                                       Neighbours());
        for (const double epsilon : {0.1, 1.0, 4.0}) {
          const double attack = best_counting_attack(q, sigma, steps, epsilon);
          EXPECT_LE(attack, accountant.delta(epsilon).upper + 1e-12)
              << q << ' ' << sigma << ' ' << steps << ' ' << epsilon;
          if (attack > 1e-12 && attack < 0.999) {
            EXPECT_LE(epsilon, accountant.epsilon(attack).upper * (1 + 1e-9));
          }
        }
      }
    }
  }
}

TEST(Enclosures, TheAttackWouldExposeAnUnderstatedEpsilon) {
  // Forgetting a factor of two in the noise makes an ε that the attack refutes.
  const PldAccountant wrong(Composition(PoissonGaussianEvent(0.5, 2), 20), Neighbours());
  EXPECT_GT(best_counting_attack(0.5, 1, 20, 4.0), wrong.delta(4.0).upper);
}

}  // namespace
}  // namespace sotto::accounting
