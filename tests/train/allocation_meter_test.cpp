#include "train/allocation_meter.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

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

}  // namespace
}  // namespace sotto::train
