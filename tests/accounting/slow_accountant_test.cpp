// The accountant against one that shares nothing with it: not the method, not the arithmetic.
#include "tests/accounting/slow_accountant.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <stdexcept>

#include "sotto/accounting/accountants.h"
#include "sotto/accounting/theorems.h"

namespace sotto::accounting {
namespace {

bool slow() { return std::getenv("SOTTO_SLOW_TESTS") != nullptr; }

// The oracle first: full batches have a closed form.
TEST(SlowAccountant, KnowsTheGaussianMechanism) {
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    const SlowRun run{1, 5, 25};
    const double exact = gaussian_delta(1, epsilon);
    EXPECT_NEAR(slow_delta(run, epsilon, Direction::kRemove), exact, 1e-12 * exact);
    EXPECT_NEAR(slow_delta(run, epsilon, Direction::kAdd), exact, 1e-12 * exact);
  }
}

struct RandomRun {
  SlowRun run;
  double delta;
};

std::ostream& operator<<(std::ostream& out, const RandomRun& random) {
  return out << "q " << random.run.sample_rate << ", sigma " << random.run.noise_multiplier
             << ", steps " << random.run.steps << ", delta " << random.delta;
}

RandomRun random_run(std::mt19937& generator) {
  const auto between = [&](double low, double high) {  // uniform in the logarithm
    std::uniform_real_distribution<double> uniform(std::log(low), std::log(high));
    return std::exp(uniform(generator));
  };
  return {{between(0.02, 0.8), between(0.7, 4), static_cast<std::int64_t>(between(30, 3000))},
          between(1e-12, 1e-2)};
}

// ε(δ) = [lower, upper] says: δ(upper) <= δ <= δ(lower).
void expect_bracketed(const RandomRun& random) {
  const PldAccountant accountant(
      Composition(PoissonGaussianEvent(random.run.sample_rate, random.run.noise_multiplier),
                  random.run.steps),
      Neighbours());
  constexpr double kAgreement = 1e-11;
  const auto interval = accountant.epsilon(random.delta);
  EXPECT_LE(interval.relative_width(), 2e-3) << random;
  EXPECT_LE(slow_delta(random.run, interval.upper), random.delta * (1 + kAgreement)) << random;
  const double at_lower = slow_delta(random.run, interval.lower);
  EXPECT_GE(at_lower, random.delta * (1 - kAgreement)) << random;
  const auto delta = accountant.delta(interval.lower);
  EXPECT_LE(delta.lower, at_lower * (1 + kAgreement)) << random;
  EXPECT_GE(delta.upper, at_lower * (1 - kAgreement)) << random;
}

TEST(SlowAccountant, IsBracketedOnRandomRuns) {
  std::mt19937 generator(20261117);
  const int runs = slow() ? 200 : 2;
  int beyond = 0;  // the slow accountant's reach: few steps whose loss is nearly an atom
  for (int i = 0; i < runs; ++i) {
    try {
      expect_bracketed(random_run(generator));
    } catch (const std::runtime_error&) {
      ++beyond;
    }
  }
  EXPECT_LE(beyond, runs / 5);
}

// A step forgotten, or 0.1 % less noise, is seen.
TEST(SlowAccountant, WouldExposeAnUnderstatedEpsilon) {
  const SlowRun run{0.1, 1, 100};
  const PldAccountant forgetful(Composition(PoissonGaussianEvent(0.1, 1), 99), Neighbours());
  EXPECT_GT(slow_delta(run, forgetful.epsilon(1e-5).upper), 1e-5);
  const PldAccountant quiet(Composition(PoissonGaussianEvent(0.1, 1.001), 100), Neighbours());
  EXPECT_GT(slow_delta(run, quiet.epsilon(1e-5).upper), 1e-5);
}

}  // namespace
}  // namespace sotto::accounting
