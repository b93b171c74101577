#include "sotto/plan/plan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/core/error.h"

namespace sotto {
namespace {

using accounting::Relation;
using accounting::Sampling;

PlanOptions good() {
  PlanOptions options;
  options.dataset_size = 1000;
  options.batch_size = 100;
  options.epochs = 2;
  options.noise_multiplier = 1;
  return options;
}

TEST(PlanTest, KnowsRateAndLength) {
  const Plan plan(good());
  EXPECT_DOUBLE_EQ(plan.sample_rate(), 0.1);
  EXPECT_EQ(plan.steps(), 20);
  EXPECT_EQ(plan.neighbours().relation(), Relation::kZeroOut);
}

TEST(PlanTest, RefusesWhatIsNotPrivate) {
  auto options = good();
  options.noise_multiplier = 0;
  EXPECT_THROW(Plan{options}, InvalidArgument);
  options.noise_multiplier = -1;
  EXPECT_THROW(Plan{options}, InvalidArgument);
  options.noise_multiplier = std::nan("");
  EXPECT_THROW(Plan{options}, InvalidArgument);
}

TEST(PlanTest, RefusesImpossibleValues) {
  auto options = good();
  for (const double norm : {0.0, -1.0, 1e-30, 1e30, std::nan("")}) {
    options.max_grad_norm = norm;
    EXPECT_THROW(Plan{options}, InvalidArgument) << norm;
  }
  options = good();
  options.batch_size = 1001;
  EXPECT_THROW(Plan{options}, InvalidArgument);
  options = good();
  options.dataset_size = 0;
  EXPECT_THROW(Plan{options}, InvalidArgument);
  options = good();
  options.steps = 3;  // and epochs
  EXPECT_THROW(Plan{options}, InvalidArgument);
  options = good();
  options.sampling = Sampling::kNone;
  EXPECT_THROW(Plan{options}, InvalidArgument);
}

// Never: ε for Poisson sampling while batches were shuffled or of fixed size.
TEST(PlanTest, EachSamplingHasItsOwnAnalysis) {
  auto options = good();
  const auto poisson = Plan(options).composition(10);
  EXPECT_TRUE(
      std::holds_alternative<accounting::PoissonGaussianEvent>(poisson.parts().front().event));
  options.sampling = Sampling::kFixedSize;
  const auto fixed = Plan(options).composition(10);
  EXPECT_TRUE(
      std::holds_alternative<accounting::FixedSizeGaussianEvent>(fixed.parts().front().event));
  options.sampling = Sampling::kShuffled;
  const auto shuffled = Plan(options).composition(11);
  EXPECT_TRUE(std::holds_alternative<accounting::GaussianEvent>(shuffled.parts().front().event));
  EXPECT_EQ(shuffled.parts().front().count, 2);  // a begun pass counts
  options.relation = Relation::kAddRemove;
  EXPECT_THROW(Plan{options}, NoValidAnalysis);
}

// Never: adaptive clipping's count query not charged.
TEST(PlanTest, CountQueryTakesItsShareOfTheNoise) {
  auto options = good();
  options.clipping = AdaptiveClipping{.count_noise = 2};
  const Plan plan(options);
  const double gradient = plan.gradient_noise_multiplier();
  EXPECT_GT(gradient, 1);
  EXPECT_NEAR(std::pow(std::pow(gradient, -2) + std::pow(2 * 2.0, -2), -0.5), 1, 1e-12);
  EXPECT_DOUBLE_EQ(plan.run().noise_multiplier(), 1);
  options.clipping = AdaptiveClipping{.count_noise = 0.5};
  EXPECT_THROW(Plan{options}, InvalidArgument);
}

TEST(PlanTest, NamesOfClipping) {
  for (const Clipping& clipping : {Clipping(FlatClipping{}), Clipping(PerLayerClipping{}),
                                   Clipping(AutomaticClipping{}), Clipping(AdaptiveClipping{})}) {
    EXPECT_EQ(clipping_from_name(name(clipping)).index(), clipping.index());
  }
  EXPECT_THROW(clipping_from_name("ghost"), InvalidArgument);
}

TEST(PlanTest, JsonSaysAllThatCosts) {
  auto options = good();
  const auto before = Plan(options).to_json();
  options.noise_multiplier = 1.5;
  EXPECT_NE(Plan(options).to_json(), before);
  options = good();
  options.max_grad_norm = 2;
  EXPECT_NE(Plan(options).to_json(), before);
  options = good();
  options.epochs = 9;  // a longer run has the same cost a step
  EXPECT_EQ(Plan(options).to_json(), before);
}

}  // namespace
}  // namespace sotto
