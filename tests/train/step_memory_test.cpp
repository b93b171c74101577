// Memory of a step: what is counted, and how well two small steps foretell a large one.
#include "train/step_memory.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/models/models.h"
#include "train/allocation_meter.h"

namespace sotto::train {
namespace {

TEST(AllocationMeterTest, CountsTensorsWhileTheyLive) {
  const AllocationMeter meter;
  const auto before = meter.live();
  {
    const auto tensor = torch::zeros({1000, 1000});
    EXPECT_GE(meter.live() - before, 4'000'000);
    EXPECT_LT(meter.live() - before, 4'100'000);
  }
  EXPECT_EQ(meter.live(), before);
  EXPECT_GE(meter.peak() - before, 4'000'000);
}

TEST(AllocationMeterTest, PeakIsForgottenOnRequest) {
  AllocationMeter meter;
  torch::zeros({1000, 1000});
  meter.reset_peak();
  EXPECT_EQ(meter.peak(), meter.live());
}

TEST(AllocationMeterTest, TensorsMayOutliveIt) {
  torch::Tensor tensor;
  {
    const AllocationMeter meter;
    tensor = torch::ones({100});
    EXPECT_THROW(AllocationMeter(), std::logic_error);
  }
  EXPECT_EQ(tensor.sum().item<double>(), 100);
}

Network named_network(const std::string& name) {
  if (name == "cnn")
    return network_of(models::make_model(name, {{1, 28, 28}, 10}), {1, 28, 28}, 10);
  if (name == "resnet20") {
    return network_of(models::make_model(name, {{3, 32, 32}, 10}), {3, 32, 32}, 10);
  }
  return make_benchmark(name);
}

struct Case {
  const char* network;
  const char* path;
  std::int64_t batch;
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.network << ' ' << one.path << ' ' << one.batch;
}

class PredictionTest : public testing::TestWithParam<Case> {};

TEST_P(PredictionTest, IsWithinATenthOfWhatIsMeasured) {
  const auto [network, path, batch] = GetParam();
  StepSetting setting;
  setting.path = path;
  setting.make_network = [name = network] { return named_network(name); };
  const auto prediction = StepPrediction::make(setting);
  const auto measured = measure_step(setting, batch);
  ASSERT_TRUE(prediction && measured);
  EXPECT_NEAR(prediction->at(batch).peak() / measured->peak(), 1, 0.1);
  EXPECT_GE(measured->peak(), measured->batch);
}

INSTANTIATE_TEST_SUITE_P(
    Networks, PredictionTest,
    testing::Values(Case{"cnn", "plain", 512}, Case{"cnn", "materialised", 256},
                    Case{"cnn", "graph", 512}, Case{"cnn", "fused", 512},
                    Case{"cnn", "fused-nonprivate", 512}, Case{"wide-mlp", "plain", 256},
                    Case{"wide-mlp", "graph", 256}, Case{"wide-mlp", "fused", 1024},
                    Case{"vgg-head", "plain", 32}, Case{"vgg-head", "graph", 32},
                    Case{"vgg-head", "fused", 64}, Case{"resnet20", "plain", 96},
                    Case{"resnet20", "graph", 96}, Case{"resnet20", "fused", 96},
                    Case{"lstm", "plain", 128}, Case{"lstm", "graph", 128},
                    Case{"transformer", "plain", 128}, Case{"transformer", "graph", 128}));

TEST(StepPredictionTest, LargestBatchJustFits) {
  StepSetting setting;
  setting.path = "graph";
  setting.make_network = [] { return named_network("cnn"); };
  const auto prediction = StepPrediction::make(setting).value();
  const double room = prediction.at(300).peak() + 1;
  EXPECT_EQ(prediction.largest_batch(room), 300);
  EXPECT_EQ(prediction.largest_batch(0), 0);
}

TEST(StepPredictionTest, NetworksThatAreNoSequentialHaveNoFusedStep) {
  StepSetting setting;
  setting.path = "fused";
  setting.make_network = [] { return make_benchmark("lstm"); };
  EXPECT_FALSE(StepPrediction::make(setting));
}

}  // namespace
}  // namespace sotto::train
