#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "plan/plan_json.h"
#include "sotto/core/error.h"
#include "sotto/plan/plan.h"

namespace sotto {
namespace {

using accounting::Adjacency;
using accounting::Sampling;

PlanOptions sensible() {
  PlanOptions options;
  options.dataset_size = 1000;
  options.batch_size = 100;
  options.steps = 7;
  options.noise_multiplier = 1.25;
  options.max_grad_norm = 0.5;
  return options;
}

void expect_comes_back(const PlanOptions& options) {
  const Plan plan(options);
  const Plan again = plan_from_json(json_of(plan), plan.steps());
  EXPECT_EQ(json_of(again), json_of(plan));
  EXPECT_EQ(again.steps(), plan.steps());
  EXPECT_EQ(again.gradient_noise_multiplier(), plan.gradient_noise_multiplier());
  const auto left = again.composition(5);
  const auto right = plan.composition(5);
  ASSERT_EQ(left.parts().size(), right.parts().size());
  for (std::size_t i = 0; i < left.parts().size(); ++i) {
    EXPECT_EQ(describe(left.parts()[i].event), describe(right.parts()[i].event));
    EXPECT_EQ(left.parts()[i].count, right.parts()[i].count);
  }
}

TEST(PlanJson, EveryKindComesBack) {
  expect_comes_back(sensible());
  for (const auto sampling : {Sampling::kFixedSize, Sampling::kShuffled}) {
    auto options = sensible();
    options.sampling = sampling;
    options.adjacency = Adjacency::kReplaceOne;
    expect_comes_back(options);
  }
  auto everyone = sensible();
  everyone.sampling = Sampling::kNone;
  everyone.batch_size = everyone.dataset_size;
  expect_comes_back(everyone);
  auto adaptive = sensible();
  adaptive.clipping = AdaptiveClipping{.target_quantile = 0.75};
  expect_comes_back(adaptive);
  auto grouped = sensible();
  grouped.clipping = GroupedClipping{3};
  grouped.releases = {{"label counts", 10}, {"other", 2}};
  expect_comes_back(grouped);
  auto bounded = sensible();
  bounded.bounded = BoundedNoise{NoiseStrategy::kPerLayer, {1, 2}, {0.5, 0.25}};
  expect_comes_back(bounded);
}

TEST(PlanJson, RefusesWhatIsNoPlan) {
  const auto good = json_of(Plan(sensible()));
  EXPECT_THROW(plan_from_json(nullptr, 1), InvalidArgument);
  EXPECT_THROW(plan_from_json(good, 0), InvalidArgument);
  for (const auto& item : good.items()) {
    auto damaged = good;
    damaged.erase(item.key());
    if (item.key() != "places") {  // plans of before do not have it
      EXPECT_THROW(plan_from_json(damaged, 1), InvalidArgument) << item.key();
    }
    damaged[item.key()] = item.value().is_string() ? nlohmann::json(1) : nlohmann::json("x");
    EXPECT_THROW(plan_from_json(damaged, 1), InvalidArgument) << item.key();
  }
  auto silent = good;
  silent["noise_multiplier"] = 0;
  EXPECT_THROW(plan_from_json(silent, 1), InvalidArgument);
}

}  // namespace
}  // namespace sotto
