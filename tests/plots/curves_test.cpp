#include "plots/curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plots/plane.h"
#include "plots/tables.h"
#include "sotto/core/error.h"

namespace sotto::plots {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

PlannedRun run_with_noise(double noise_multiplier) {
  PlannedRun run;
  run.run.dataset_size = 1000;
  run.run.batch_size = 100;
  run.run.epochs = 2;
  run.run.noise_multiplier = noise_multiplier;
  run.accounting.accountant = accounting::Accountant::kRdp;
  return run;
}

EpsilonPlot plot_of(std::vector<PlannedRun> runs) {
  return {.x = axis_over(Quantity::kEpochs, {1, 3}, report::Scale::kLinear, 3),
          .runs = std::move(runs)};
}

TEST(Curves, SayWhatIsCommonAndWhatIsTheirOwn) {
  const auto plot = plot_of({run_with_noise(1), run_with_noise(2)});
  const auto names = name_curves(plot.runs, plot.axes());
  EXPECT_THAT(names.own, ElementsAre("σ = 1", "σ = 2"));
  EXPECT_THAT(names.common, Not(HasSubstr("epoch")));  // the axis shows them
}

TEST(Curves, RefuseToBeTheSame) {
  const auto plot = plot_of({run_with_noise(1), run_with_noise(1)});
  EXPECT_THROW(curves_of(plot, [] {}), InvalidArgument);
}

TEST(Curves, HoldTheEpsilonOfEveryPlace) {
  const auto plot = plot_of({run_with_noise(1)});
  int evaluations = 0;
  const auto curves = curves_of(plot, [&] { ++evaluations; });
  ASSERT_EQ(curves.size(), 1U);
  ASSERT_EQ(curves[0].points.size(), 3U);
  EXPECT_EQ(evaluations, 3);
  for (const auto& point : curves[0].points) {
    auto run = run_with_noise(1);
    run.run.epochs = static_cast<std::int64_t>(point.x);
    EXPECT_EQ(point.cost.epsilon, run.cost().epsilon);
  }
  EXPECT_THAT(csv_table(curves[0].points), StartsWith("dataset_size,batch_size,sample_rate,"));
  EXPECT_EQ(curves_json(plot, curves)["curves"][0]["y"].size(), 3U);
}

TEST(Curves, MakeAPlaneRowByRow) {
  auto plot = plot_of({run_with_noise(1)});
  plot.y = axis_over(Quantity::kNoiseMultiplier, {1, 2}, report::Scale::kLinear, 2);
  const auto plane = plane_of(plot, [] {});
  ASSERT_EQ(plane.points.size(), 6U);
  EXPECT_EQ(plane.grid.value(2, 1), plane.points[5].cost.epsilon);
  EXPECT_GT(plane.grid.value(0, 0), plane.grid.value(0, 1));  // more noise, smaller ε
  EXPECT_EQ(plane_json(plot, plane)["epsilon"].size(), 2U);
}

}  // namespace
}  // namespace sotto::plots
