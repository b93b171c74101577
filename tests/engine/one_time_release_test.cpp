// Sums published once: bounded, noised, charged, and never twice for one price.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>

#include "engine/clipped_rows.h"
#include "engine/sum_release.h"
#include "plan/ledger.h"
#include "tests/core/temporary_folder.h"
#include "tests/engine/training_fixture.h"

namespace sotto {
namespace {

TEST(ClippedRowsTest, NoRowAddsMoreThanTheBound) {
  torch::Tensor rows = torch::tensor({{3.0F, 4.0F}, {0.3F, 0.4F}, {NAN, 1.0F}, {INFINITY, 0.0F}});
  ClippedRowSums sums(2, 1);
  sums.add(rows, torch::tensor({0, 1, 0, 1}, torch::kLong));
  const auto real = sums.sums() * sums.unit();
  EXPECT_NEAR(real[0].norm().item<double>(), 1, 1e-4);
  EXPECT_LE(real[0].norm().item<double>(), 1);
  EXPECT_NEAR(real[1].norm().item<double>(), 0.5, 1e-4);
}

// What one record adds has the same bits whoever else is there, in whatever order and portions.
TEST(ClippedRowsTest, SumsAreExact) {
  torch::manual_seed(3);
  const torch::Tensor rows = torch::randn({501, 70}) * torch::randn({501, 1}).exp();
  const torch::Tensor kinds = torch::randint(3, {501});
  ClippedRowSums at_once(3, 1.5);
  at_once.add(rows, kinds);
  ClippedRowSums one_by_one(3, 1.5);
  for (std::int64_t i = 500; i >= 0; --i) {
    one_by_one.add(rows.narrow(0, i, 1), kinds.narrow(0, i, 1));
  }
  EXPECT_TRUE(at_once.sums().equal(one_by_one.sums()));
  EXPECT_THROW(at_once.add(rows, kinds + 1), InvalidArgument);
}

// In float, one after another, a sum past 2^14 would lose the small rows, and keep them below it.
TEST(ClippedRowsTest, OneRecordMovesASumByNoMoreThanItsBound) {
  const auto sum = [](std::int64_t pushing) {
    ClippedRowSums sums(1, 1);
    for (const auto& [count, value] : {std::pair(pushing, 0.5F), std::pair(40'000L, -0.0005F)}) {
      sums.add(torch::full({count, 1}, value), torch::zeros({count}, torch::kLong));
    }
    return (sums.sums() * sums.unit()).item<double>();
  };
  const double moved = sum((1 << 15) + 1) - sum(1 << 15);
  EXPECT_LE(std::abs(moved), 1);
  EXPECT_NEAR(moved, 0.5, 0.01);
}

class OneTimeReleaseTest : public TrainingFixture {
 protected:
  static PlanOptions with_release(double noise) {
    auto plan = options(1);
    plan.releases = {{"counts", noise}};
    return plan;
  }
  PrivacyEngine engine(const EngineOptions& engine_options, double noise = 4) {
    return make_private(*model, optimizer, with_release(noise), engine_options);
  }
  torch::Tensor rows() const { return torch::one_hot(labels, 2).to(torch::kFloat); }

  TemporaryFolder folder;
  torch::optim::SGD optimizer{model->parameters(), 0.1};
};

// Numbers and continuous noise: the last bits would tell the numbers.
TEST_F(OneTimeReleaseTest, IsOnTheGridOfItsNoise) {
  const torch::Tensor thirds = torch::full({labels.size(0), 8}, 1.0 / 3);        // of norm 0.94
  const torch::Tensor steps = engine({}, 4).release("counts", thirds) * 0x1p10;  // 4 / 4096
  EXPECT_TRUE(steps.equal(steps.round()));
  EXPECT_FALSE(steps.remainder(0x1p10).equal(torch::zeros_like(steps)));  // not whole numbers
}

TEST_F(OneTimeReleaseTest, IsInThePriceFromTheStart) {
  auto with = engine({});
  auto without = make_private(*model, optimizer, options(1));
  train(with);
  train(without);
  EXPECT_GT(with.privacy_spent(1e-5).epsilon, without.privacy_spent(1e-5).epsilon);
  const auto alone = Plan(with_release(4)).composition(0);
  ASSERT_EQ(alone.parts().size(), 1U);
}

TEST_F(OneTimeReleaseTest, HasItsNoise) {
  double square = 0;
  constexpr int kTimes = 400;
  const auto truth = rows().sum(0).to(torch::kDouble);
  for (int i = 0; i < kTimes; ++i) {
    square +=
        (engine({}).release("counts", rows()) - truth).square().mean().item<double>() / kTimes;
  }
  EXPECT_NEAR(square, 16, 7 * 16 * std::sqrt(2.0 / (2 * kTimes)));
}

TEST_F(OneTimeReleaseTest, IsChargedOnceAndNeverRepeated) {
  const auto path = folder / "ledger.jsonl";
  {
    auto first = engine({.ledger = path});
    EXPECT_FALSE(first.was_released("counts"));
    first.release("counts", rows());
    EXPECT_THROW(first.release("counts", rows()), std::runtime_error);
    EXPECT_THROW(first.release("other", rows()), InvalidArgument);
  }
  auto again = engine({.ledger = path});
  EXPECT_TRUE(again.was_released("counts"));
  EXPECT_THROW(again.release("counts", rows()), std::runtime_error);
  EXPECT_EQ(Ledger::read(path).events.size(), 1U);
}

TEST_F(OneTimeReleaseTest, OneRowForEachRecord) {
  auto e = engine({});
  EXPECT_THROW(e.release("counts", rows().narrow(0, 0, 10)), InvalidArgument);
}

// A record that shouts is heard as one record.
TEST_F(OneTimeReleaseTest, RowsAreClipped) {
  auto e = engine({}, 1e-6);
  auto loud = torch::zeros({kRecords, 2});
  loud[7][0] = 1e6F;
  EXPECT_LE(e.release("counts", loud)[0].item<double>(), 1 + 1e-4);
}

class SumReleaseTest : public testing::Test {
 protected:
  static Plan plan(std::int64_t records, double noise) {
    PlanOptions options;
    options.dataset_size = options.batch_size = records;
    options.sampling = accounting::Sampling::kNone;
    options.steps = 1;
    options.noise_multiplier = noise;
    return Plan(options);
  }
  TemporaryFolder folder;
};

TEST_F(SumReleaseTest, SumsByKindWithNoise) {
  SumRelease release(plan(4, 1e-6), 3, {});
  const auto rows = torch::eye(4).mul(0.5);
  release.add(rows.narrow(0, 0, 2), torch::tensor({0, 2}));
  release.add(rows.narrow(0, 2, 2), torch::tensor({2, 2}));
  const auto sums = release.release();
  EXPECT_EQ(sums.sizes(), torch::IntArrayRef({3, 4}));
  EXPECT_NEAR(sums[2].sum().item<double>(), 1.5, 1e-4);
  EXPECT_NEAR(sums[1].abs().sum().item<double>(), 0, 1e-4);
  EXPECT_THROW(release.release(), std::runtime_error);
}

TEST_F(SumReleaseTest, NoiseIsThatOfThePlan) {
  SumRelease release(plan(1, 3), 1, {});
  release.add(torch::zeros({1, 40000}), torch::tensor({0}));
  const double square = release.release().square().mean().item<double>();
  EXPECT_NEAR(square, 9, 7 * 9 * std::sqrt(2.0 / 40000));
}

TEST_F(SumReleaseTest, ChargesBeforeItReleasesAndOnlyOnce) {
  const auto path = folder / "ledger.jsonl";
  {
    SumRelease release(plan(1, 1), 1, {.ledger = path});
    EXPECT_FALSE(release.is_charged());
    release.add(torch::ones({1, 2}), torch::tensor({0}));
    release.release();
    EXPECT_LT(release.privacy_spent(1e-5).epsilon, 10);
  }
  SumRelease again(plan(1, 1), 1, {.ledger = path});
  EXPECT_TRUE(again.is_charged());
  EXPECT_THROW(again.release(), std::runtime_error);
}

TEST_F(SumReleaseTest, RefusesOtherPlansAndMissingRecords) {
  PlanOptions sampled;
  sampled.dataset_size = 10;
  sampled.batch_size = 5;
  sampled.steps = 1;
  sampled.noise_multiplier = 1;
  EXPECT_THROW(SumRelease(Plan(sampled), 1, {}), InvalidArgument);
  SumRelease release(plan(5, 1), 1, {});
  release.add(torch::ones({4, 2}), torch::zeros({4}, torch::kLong));
  EXPECT_THROW(release.release(), std::logic_error);
}

TEST_F(SumReleaseTest, ASeedIsNotPrivate) {
  SumRelease release(plan(1, 1), 1, {.insecure_seed = 3});
  EXPECT_TRUE(std::isinf(release.privacy_spent(1e-5).epsilon));
}

}  // namespace
}  // namespace sotto
