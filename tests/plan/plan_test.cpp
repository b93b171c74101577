#include "sotto/plan/plan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plan/plan_json.h"
#include "sotto/core/error.h"

namespace sotto {
namespace {

using accounting::Adjacency;
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
  EXPECT_EQ(plan.neighbours().adjacency(), Adjacency::kZeroOut);
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
  options.adjacency = Adjacency::kAddRemove;
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

PlanOptions group_of(std::int64_t size) {
  auto options = good();
  options.fill_batches = false;
  options.group_size = size;
  return options;
}

TEST(PlanTest, AGroupOfRecordsIsPricedAsOne) {
  const Plan plan(group_of(3));
  EXPECT_EQ(plan.neighbours().group_size(), 3);
  const auto expected =
      accounting::cost_at_delta({accounting::PoissonGaussianEvent(0.1, 1), 20},
                                accounting::Neighbours(Adjacency::kZeroOut, 3), 1e-5);
  const Spend spend{plan, 20};
  EXPECT_DOUBLE_EQ(spend.cost_at_delta(1e-5).epsilon, expected.epsilon);
  const Plan alone(group_of(1));
  EXPECT_GT(expected.epsilon, 2 * (Spend{alone, 20}.cost_at_delta(1e-5).epsilon));

  const Plan read = plan_from_json(json_of(plan), 20);
  EXPECT_EQ(read.options().group_size, 3);
  EXPECT_FALSE(json_of(alone).contains("group_size")) << "ledgers of before must compare equal";
}

TEST(PlanTest, GroupsAreRefusedWhereOneRecordIsProvedAlone) {
  for (const std::int64_t size : {0, -1, 1001}) {
    EXPECT_THROW(Plan{group_of(size)}, InvalidArgument) << size;
  }
  auto filled = group_of(2);
  filled.fill_batches = true;
  EXPECT_THROW(Plan{filled}, NoValidAnalysis);
  auto held_out = group_of(2);
  held_out.held_out_epsilon = 1;
  EXPECT_THROW(Plan{held_out}, NoValidAnalysis);
  auto searched = group_of(2);
  searched.bounded = BoundedNoise{};
  searched.clipping = SearchedClipping{};
  EXPECT_THROW(Plan{searched}, InvalidArgument);
  auto fixed_size = group_of(2);
  fixed_size.sampling = Sampling::kFixedSize;
  EXPECT_THROW(Plan{fixed_size}, NoValidAnalysis);
  auto shuffled = group_of(2);
  shuffled.sampling = Sampling::kShuffled;
  EXPECT_NO_THROW(Plan{shuffled});
}

TEST(PlanTest, NamesOfClipping) {
  for (const Clipping& clipping : {Clipping(FlatClipping{}), Clipping(PerLayerClipping{}),
                                   Clipping(AutomaticClipping{}), Clipping(AdaptiveClipping{})}) {
    EXPECT_EQ(clipping_from_name(to_string(clipping)).index(), clipping.index());
  }
  EXPECT_THROW(clipping_from_name("ghost"), InvalidArgument);
}

TEST(PlanTest, JsonSaysAllThatCosts) {
  auto options = good();
  const auto before = json_of(Plan(options));
  options.noise_multiplier = 1.5;
  EXPECT_NE(json_of(Plan(options)), before);
  options = good();
  options.max_grad_norm = 2;
  EXPECT_NE(json_of(Plan(options)), before);
  options = good();
  options.epochs = 9;  // a longer run has the same cost a step
  EXPECT_EQ(json_of(Plan(options)), before);
}

// P[Binomial(n, q) >= k], term by term.
double tail(std::int64_t n, double q, std::int64_t k) {
  double sum = 0;
  for (std::int64_t i = k; i <= n; ++i) {
    const auto size = static_cast<double>(n);
    const auto in = static_cast<double>(i);
    sum += std::exp(std::lgamma(size + 1) - std::lgamma(in + 1) - std::lgamma(size - in + 1) +
                    in * std::log(q) + (size - in) * std::log1p(-q));
  }
  return sum;
}

TEST(PlanTest, BatchesHaveEnoughPlacesAndFewMore) {
  for (const auto& [size, batch] : {std::pair<std::int64_t, std::int64_t>{60000, 1024},
                                    {60000, 256},
                                    {60000, 1},
                                    {1000, 100},
                                    {1000, 900}}) {
    auto options = good();
    options.dataset_size = size;
    options.batch_size = batch;
    const auto places = Plan(options).places().value();
    const double rate = static_cast<double>(batch) / static_cast<double>(size);
    EXPECT_LE(tail(size, rate, places), kOverflow) << batch << " of " << size;
    EXPECT_LE(places, size);
    if (places < size) {
      EXPECT_GT(tail(size, rate, places - 32), kOverflow * 1e-6) << batch << " of " << size;
    }
  }
  auto options = good();
  options.fill_batches = false;
  EXPECT_FALSE(Plan(options).places());
  options = good();
  options.sampling = Sampling::kShuffled;
  EXPECT_FALSE(Plan(options).places());
}

// Under add-remove neighbours differ in the number of records: places that followed it moved a sum
// by 9 to 12 C.
TEST(PlanTest, UnderAddRemovePlacesDoNotFollowTheNumberOfRecords) {
  for (const std::int64_t batch : {1, 64, 273, 1024}) {
    auto options = good();
    options.adjacency = Adjacency::kAddRemove;
    options.batch_size = batch;
    options.dataset_size = batch + 1;
    const auto places = Plan(options).places().value();
    for (const std::int64_t size : {batch + 2, 2 * batch, std::int64_t{303}, std::int64_t{60000}}) {
      if (size < batch) continue;
      options.dataset_size = size;
      EXPECT_EQ(Plan(options).places(), places) << batch << " of " << size;
      const double rate = static_cast<double>(batch) / static_cast<double>(size);
      if (rate < 1) {
        EXPECT_LE(tail(size, rate, places), kOverflow) << batch << " of " << size;
      }
    }
    EXPECT_GT(tail(60000, static_cast<double>(batch) / 60000, places - 32), kOverflow * 1e-6);
  }
}

// A batch with too few places may reveal anything: its chance is in δ.
TEST(PlanTest, TooFewPlacesAreInTheCost) {
  auto options = good();
  options.dataset_size = 60000;
  const Spend filled{Plan(options), 40};
  options.fill_batches = false;
  const Spend drawn{Plan(options), 40};
  EXPECT_EQ(filled.filled_batches(), 40);
  EXPECT_EQ(drawn.filled_batches(), 0);
  const double tiny = 41 * kOverflow;  // hardly more than the chance itself
  EXPECT_GT(filled.cost_at_delta(tiny).epsilon, drawn.cost_at_delta(tiny).epsilon);
  EXPECT_NEAR(filled.cost_at_delta(1e-5).epsilon, drawn.cost_at_delta(1e-5).epsilon, 1e-6);
  EXPECT_TRUE(std::isinf(filled.cost_at_delta(39 * kOverflow).epsilon));
}

TEST(PlanTest, PlacesAreReadAsTheyWereWritten) {
  auto json = json_of(Plan(good()));
  ASSERT_TRUE(json.contains("places"));
  EXPECT_EQ(json_of(plan_from_json(json, 5)), json);
  json["places"] = 7;
  EXPECT_THROW(plan_from_json(json, 5), InvalidArgument);
  json.erase("places");  // as written before there were any
  EXPECT_FALSE(plan_from_json(json, 5).places());
}

}  // namespace
}  // namespace sotto
