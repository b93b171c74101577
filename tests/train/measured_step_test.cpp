// Steps by name: all paths make one, and no other name passes for a path.
#include "train/measured_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/core/error.h"
#include "train/benchmark_networks.h"

namespace sotto::train {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(StepPathTest, EveryNameIsItsOwnPath) {
  for (const auto path : kStepPaths) EXPECT_EQ(step_path_from_name(to_string(path)), path);
}

TEST(StepPathTest, RefusesAnUnknownNameByName) {
  for (const std::string text : {"", "Fused", "fused ", "fused-private", "auto", "private"}) {
    EXPECT_THAT([&] { step_path_from_name(text); },
                ThrowsMessage<InvalidArgument>(
                    AllOf(HasSubstr("step path '" + text + "'"), HasSubstr("fused-nonprivate"))));
  }
}

TEST(MeasuredStepTest, RefusesAValueThatIsNoPath) {
  Workload workload(make_benchmark_network("wide-mlp"), 2);
  EXPECT_THROW(make_step(static_cast<StepPath>(kStepPaths.size()), workload), InvalidArgument);
}

TEST(MeasuredStepTest, EveryPathMovesTheParameters) {
  for (const auto path : kStepPaths) {
    Workload workload(make_benchmark_network("wide-mlp"), 4);
    const auto before = workload.network.module->parameters()[0].detach().clone();
    const auto step = make_step(path, workload);
    ASSERT_TRUE(step) << to_string(path);
    step();
    EXPECT_FALSE(workload.network.module->parameters()[0].equal(before)) << to_string(path);
  }
}

// The engine says what a private step took; steps without privacy have nothing to say.
TEST(MeasuredStepTest, OnlyPrivatePathsHaveAnEngine) {
  for (const auto path : kStepPaths) {
    Workload workload(make_benchmark_network("wide-mlp"), 4);
    int private_steps = 0;
    StepOptions options;
    options.after_private_step = [&](const StepSeconds&) { ++private_steps; };
    make_step(path, workload, options)();
    const bool is_private = path == StepPath::kGraph || path == StepPath::kFused;
    EXPECT_EQ(private_steps, is_private ? 1 : 0) << to_string(path);
  }
}

TEST(BenchmarkNetworksTest, MakeScoresOfTheirShape) {
  for (const auto& network_name : benchmark_network_names()) {
    const Workload workload(make_benchmark_network(network_name), 2);
    EXPECT_EQ(workload.network.forward(workload.inputs).sizes(),
              (std::vector<std::int64_t>{2, workload.network.classes}))
        << network_name;
  }
}

TEST(BenchmarkNetworksTest, RefuseAnUnknownNameByName) {
  EXPECT_THAT([] { make_benchmark_network("mlp"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("network 'mlp'")));
}

}  // namespace
}  // namespace sotto::train
