// One record of extreme numbers, against sums that it might spoil or move by more than its bound.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "engine/clip_factors.h"
#include "sotto/engine/privacy_engine.h"
#include "sotto/grad/grad.h"

namespace sotto::extreme_records {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

// A Linear layer's gradient g times an input of zeros has norm zero, however large g is: scaled to
// units by itself it must stay a float.
TEST(ExtremeRecordsTest, AHugeGradientTimesNothingSpoilsNoSum) {
  for (const bool fused : {true, false}) {
    for (const double target : {1e31, 1e38}) {
      for (const Clipping& clipping : {Clipping(FlatClipping{}), Clipping(AutomaticClipping{})}) {
        torch::manual_seed(1);
        nn::Sequential model(nn::Linear(nn::LinearOptions(4, 2).bias(false)));
        const Tensor inputs = torch::randn({20, 4});
        const Tensor targets = torch::randn({20, 2});
        inputs[3].zero_();
        targets[3].fill_(target);
        torch::optim::SGD optimizer(model->parameters(), 0.1);
        PlanOptions plan{.dataset_size = 20, .batch_size = 20, .steps = 1};
        plan.sampling = accounting::Sampling::kNone;
        plan.noise_multiplier = 50;
        plan.clipping = clipping;
        auto engine = make_private(*model, optimizer, plan);
        const auto kernels =
            grad::FusedModel::compile(model, {.sample_shape = {4},
                                              .loss = grad::FusedLoss::kMeanSquares,
                                              .parameters = engine.parameters()})
                .model;
        const auto batch = engine.next_batch();
        if (fused) {
          engine.step(*kernels, {inputs, targets, batch->indices});
        } else {
          const Tensor scores = model->forward(inputs.index_select(0, batch->indices));
          engine.step((scores - targets.index_select(0, batch->indices)).square().mean(1));
        }
        EXPECT_TRUE(model->parameters()[0].isfinite().all().item<bool>())
            << fused << ' ' << target << ' ' << to_string(clipping);
      }
    }
  }
}

// Terms that cancel, each product beyond what a float holds.
TEST(ExtremeRecordsTest, TermsThatOverflowAreNotFinite) {
  nn::Linear layer(nn::LinearOptions(3, 2).bias(false));
  {
    torch::NoGradGuard no_gradients;
    layer->weight.zero_();
  }
  Tensor inputs = torch::randn({3, 2, 3});
  Tensor slopes = torch::randn({3, 2, 2});
  inputs[1].fill_(1e19F);
  slopes[1][0].fill_(1e20F);
  slopes[1][1].fill_(-1e20F);
  const Tensor losses = (layer(inputs) * slopes).sum({1, 2});
  const grad::PerSampleGradients gradients(losses, {{"weight", layer->weight}});
  EXPECT_FALSE(std::isfinite(gradients.squared_norms()[0][1].item<double>()));
  for (const double bound : {1.0, 1e5, 1e12}) {
    const auto factors =
        clip_factors(gradients.squared_norms(), FlatClipping{}, bound, {0}).factors;
    EXPECT_EQ(factors[0][1].item<double>(), 0);
    EXPECT_EQ(factors_within(gradients.squared_norms(), {bound})[0][1].item<double>(), 0);
  }
}

// How the others are added up must not depend on whether one record makes a use of a weight count.
TEST(ExtremeRecordsTest, OneRecordDoesNotChangeHowOthersAreAddedUp) {
  torch::manual_seed(2);
  constexpr std::int64_t kSamples = 300;
  nn::Linear layer(nn::LinearOptions(40, 30).bias(false));
  const Tensor inputs = torch::randn({kSamples, 40});
  const auto contributed = [&](double gate_of_one) {
    Tensor gate = torch::zeros({kSamples, 1});
    gate[7][0] = gate_of_one;
    const Tensor y = torch::matmul(inputs, layer->weight.t());
    const Tensor again = torch::matmul(2 * inputs, layer->weight.t()) * gate;
    const grad::PerSampleGradients gradients((y + again).sum(1), {{"weight", layer->weight}});
    Tensor factors = clip_factors(gradients.squared_norms(), FlatClipping{}, 1, {0}).factors;
    factors.select(1, 7).zero_();
    grad::ExactSums sums({layer->weight}, {1});
    gradients.add_to(sums, factors, {64, 128, 192, 256, 300});
    return sums.real(0);
  };
  const Tensor without = contributed(0);
  EXPECT_TRUE(contributed(1).equal(without));
  EXPECT_TRUE(contributed(std::nan("")).equal(without));
}

// What the last sample adds to the weight's sum, in multiples of the bound 1.
double moved_by_last(const Tensor& losses, const Tensor& weight) {
  const grad::PerSampleGradients gradients(losses, {{"weight", weight}});
  Tensor factors = clip_factors(gradients.squared_norms(), FlatClipping{}, 1, {0}).factors;
  factors.narrow(1, 0, losses.size(0) - 1).zero_();
  grad::ExactSums sums({weight}, {1.0});
  gradients.add_to(sums, factors, {losses.size(0)});
  return sums.real(0).norm().item<double>();
}

// Two terms of a sum that cancel but for rounding, each far beyond the bound: the norm must not
// come out as nothing where the sum does not.
TEST(ExtremeRecordsTest, TermsThatCancelStayWithinTheBound) {
  struct Shape {
    std::int64_t inputs, outputs;
    torch::ScalarType type;
  };
  for (const Shape shape : {Shape{32, 32, torch::kDouble}, Shape{32, 32, torch::kFloat},
                            Shape{262144, 32, torch::kFloat}}) {
    torch::manual_seed(7);
    const Tensor weight =
        torch::zeros({shape.outputs, shape.inputs}, shape.type).set_requires_grad(true);
    for (const double apart : {0.0, 1e-12, 3e-9, 6e-8, 1e-7, 1e-6}) {
      for (const bool constant : {false, true}) {
        Tensor inputs = torch::randn({2, 2, shape.inputs}, shape.type);
        if (constant) inputs[1].fill_(0.7);
        inputs[1][1] = -inputs[1][0] * (1 - apart);
        Tensor slopes = torch::randn({2, 2, shape.outputs}, shape.type);
        slopes[1][0] *= 1e9;
        slopes[1][1] = slopes[1][0];
        const Tensor losses = (torch::matmul(inputs, weight.t()) * slopes).sum({1, 2});
        EXPECT_LE(moved_by_last(losses, weight), 1)
            << shape.inputs << ' ' << shape.type << ' ' << apart;
      }
    }
  }
}

// In double the squares of small numbers vanish, and those of large ones beside them do not.
TEST(ExtremeRecordsTest, SquaresThatVanishHideNoNorm) {
  const Tensor weight = torch::zeros({30, 30}, torch::kDouble).set_requires_grad(true);
  Tensor inputs = torch::ones({2, 2, 30}, torch::kDouble);
  Tensor slopes = torch::ones({2, 2, 30}, torch::kDouble);
  inputs[1] *= 1.4e-162;
  slopes[1] *= 7e152;
  const Tensor losses = (torch::matmul(inputs, weight.t()) * slopes).sum({1, 2});
  const grad::PerSampleGradients gradients(losses, {{"weight", weight}});
  const Tensor squares = gradients.squared_norms();
  EXPECT_FALSE(std::isfinite(squares[0][1].item<double>()) && squares[0][1].item<double>() < 1e-19);
}

// Too many samples for their gradients to be kept, of a weight that is used in part: norm and sum
// are of the same numbers.
TEST(ExtremeRecordsTest, AWeightUsedInPartIsClippedAsItIsAdded) {
  torch::manual_seed(8);
  const std::int64_t samples = 120'000;
  const Tensor weight = torch::zeros({9, 16}).set_requires_grad(true);
  Tensor inputs = torch::randn({samples, 2, 16});
  Tensor slopes = torch::randn({samples, 2, 8});
  inputs[-1][1] = -inputs[-1][0];
  slopes[-1][0] *= 3e11;
  slopes[-1][1] = slopes[-1][0];
  const Tensor losses = (torch::matmul(inputs, weight.slice(0, 0, 8).t()) * slopes).sum({1, 2});
  EXPECT_LE(moved_by_last(losses, weight), 1);
}

}  // namespace
}  // namespace sotto::extreme_records
