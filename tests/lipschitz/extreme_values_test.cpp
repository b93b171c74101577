// Values, shapes and labels that one would pick to break a bound. Each must be refused, or stay
// within it.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "lipschitz/sensitivity.h"
#include "lipschitz/spectral_norm.h"
#include "plan/noise_scales.h"
#include "sotto/core/error.h"
#include "sotto/lipschitz/fixed_layers.h"
#include "sotto/lipschitz/linear_layers.h"
#include "sotto/lipschitz/lipschitz_model.h"
#include "sotto/lipschitz/residual.h"
#include "tests/lipschitz/ascent.h"
#include "tests/lipschitz/exact_norms.h"

namespace sotto::lipschitz {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

constexpr double kFloatSlack = 1e-3;  // what LipschitzModel adds to its bounds

// The value, or 0 if it is refused.
template <typename Value>
double unless_refused(Value value) {
  try {
    return value();
  } catch (const InvalidArgument&) {
    return 0;
  }
}

// A record's label is the record's: it must not reach further than its loss says.
TEST(ExtremeValuesTest, LabelsThatAreNoClass) {
  for (const auto kind : {LossKind::kBinaryCrossEntropy, LossKind::kHinge}) {
    const nn::Sequential network(InputBound(1.0), Linear(LinearOptions{4, 1}));
    LipschitzModel model(network, Loss({.kind = kind}, 1));
    const auto parameters = model.parameters();
    for (const std::int64_t label : {-7, -1, 2, 255}) {
      const double norm = unless_refused([&] {
        const Tensor scores = model.scores(torch::ones({1, 4}));
        const Tensor of_scores =
            model.score_gradients(scores, torch::tensor({label}), 1000).gradients;
        return length_of(torch::autograd::grad({scores}, {parameters[0].tensor}, {of_scores})[0]);
      });
      EXPECT_LE(norm, model.gradient_bounds(parameters, 1000)[0])
          << to_string(kind) << " " << label;
    }
  }
}

TEST(ExtremeValuesTest, ABiasOfAnotherWidthThanItsInput) {
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{{9}, {9, 3, 3}}) {
    Bias one(1, 1.0);  // would be added to all nine
    one->bias.data().fill_(5);
    one->project();
    const Tensor none = 0 * random_of_norm(shape, 1);
    EXPECT_LE(unless_refused([&] { return length_of(one->forward(none)); }),
              one->output_norm(0) + 1e-5);
  }
  Bias many(5, 1.0);  // would repeat its input five times
  EXPECT_LE(unless_refused([&] {
              return length_of(many->forward(torch::ones({1, 1})));
            }),
            many->output_norm(1) + 1e-5);
}

TEST(ExtremeValuesTest, AResidualBlockThatNarrows) {
  torch::manual_seed(1);
  auto block = residual_block(nn::Sequential(Conv2d(Conv2dOptions{4, 1, 1, 1, 0, 6, 6})));
  const double norm = unless_refused([&] {
    const auto output = [&](const auto& point) { return block->forward(point[0]).norm(); };
    return search(output, {{{4, 6, 6}, 1}}, 2, 20).value;
  });
  EXPECT_LE(norm, block->output_norm(1) + 1e-5);
}

// What is attained of the bound of a parameter's gradient.
double share_of_bound(LipschitzModel& model, const grad::NamedParameter& parameter) {
  const auto gradient = [&](const auto& point) {
    const Tensor losses = model.losses(point[0], torch::tensor({0}), 10);
    return torch::autograd::grad({losses.sum()}, {parameter.tensor}, {}, true, true)[0].norm();
  };
  return search(gradient, {{{6}, 1}}, 3, 20).value / model.gradient_bounds({parameter}, 10)[0];
}

// Used twice, its gradient is the sum of both uses.
TEST(ExtremeValuesTest, ALayerUsedTwice) {
  torch::manual_seed(2);
  const Linear shared(LinearOptions{6, 6});
  nn::Sequential network;
  network->push_back("input", InputBound(1.0));
  network->push_back("first", shared);
  network->push_back("second", shared);
  const double share = unless_refused([&] {
    LipschitzModel model(network, Loss({.kind = LossKind::kKr}, 6));
    return share_of_bound(model, {"first.weight", shared->weight});
  });
  EXPECT_LE(share, 1);
}

// The same by assignment: what is registered is then not what is used.
TEST(ExtremeValuesTest, AWeightBorrowedFromAnotherLayer) {
  torch::manual_seed(2);
  const Linear first(LinearOptions{6, 6});
  Linear second(LinearOptions{6, 6});
  second->weight = first->weight;
  const double share = unless_refused([&] {
    LipschitzModel model(nn::Sequential(InputBound(1.0), first, second),
                         Loss({.kind = LossKind::kKr}, 6));
    return share_of_bound(model, {"1.weight", first->weight});
  });
  EXPECT_LE(share, 1);
}

// Squares of floats below 1e-22 vanish: the norm that a gradient is divided by with them.
TEST(ExtremeValuesTest, PoolsOfHardlyAnything) {
  const double smallest_square = 1.4e-45;
  for (const double scale : {1.0, 3.0, 1e4, 2e7, 3e7}) {
    Tensor x = torch::full({1, 1, 8, 8}, scale * std::sqrt(0.49 * smallest_square));
    x[0][0][0][0] = scale * std::sqrt(smallest_square);
    x.requires_grad_(true);
    const auto amplified = [&](const Tensor& y) {
      const Tensor cotangent = torch::ones_like(y) / std::sqrt(static_cast<double>(y.numel()));
      return length_of(torch::autograd::grad({y}, {x}, {cotangent})[0]);
    };
    EXPECT_LE(amplified(GlobalL2NormPool2d()->forward(x)), 1 + kFloatSlack) << scale;
    EXPECT_LE(amplified(L2NormPool2d(8)->forward(x)), 1 + kFloatSlack) << scale;
    EXPECT_LE(amplified(L2NormPool2d(2)->forward(x)), 1 + kFloatSlack) << scale;
  }
}

// Sums of many equal squares round all the same way.
TEST(ExtremeValuesTest, InputBoundsOfLargeImages) {
  double largest = 0;
  InputBound layer(1.0);
  for (const std::int64_t values : {784, 150528, 3145728}) {
    Tensor x = torch::full({1, values}, 441.942);
    x[0][0] = 1500;
    largest = std::max(largest, length_of(layer->forward(x)));
  }
  EXPECT_LE(largest, 1 + 1e-5);
}

// The factor from the largest floats to a small bound is no ordinary float.
TEST(ExtremeValuesTest, SmallInputBoundsOfHugeValues) {
  for (const double bound : {1e-3, 1e-5}) {
    InputBound layer(bound);
    double largest = 0;
    for (int i = 0; i < 50; ++i) {
      const Tensor x = torch::full({1, 4}, 1e38 * (0.5 + 0.02 * i));
      largest = std::max(largest, length_of(layer->forward(x)));
    }
    EXPECT_LE(largest, bound * (1 + 1e-5)) << bound;
  }
}

// Never: no noise at all.
TEST(ExtremeValuesTest, CoefficientsWhoseSquaresOverflowOrVanish) {
  for (const double coefficient : {1e-300, 1e-170, 1e170, 1e300}) {
    const double square = unless_refused([&] {
      const std::vector<double> bounds{1, 2};
      const BoundedNoise noise{NoiseStrategy::kPerLayer, {coefficient, 2 * coefficient}, {}};
      const auto scales = noise_scales(bounds, noise);
      return std::pow(bounds[0] / scales[0], 2) + std::pow(bounds[1] / scales[1], 2);
    });
    EXPECT_TRUE(square == 0 || std::abs(square - 1) < 1e-9) << coefficient << ": " << square;
  }
}

// Never: a bound of 0 for what has none.
TEST(ExtremeValuesTest, KernelsThatAreNotFinite) {
  for (const double bad : {std::nan(""), static_cast<double>(INFINITY)}) {
    Tensor kernel = torch::ones({2, 2, 3, 3});
    kernel[0][1][1][1] = bad;
    EXPECT_FALSE(convolution_norm_bound(kernel, {1, 1, 6, 6}) < 1) << bad;
  }
}

TEST(ExtremeValuesTest, KernelsInDoublePrecision) {
  const auto wide = torch::TensorOptions().dtype(torch::kDouble);
  for (const double scale : {1e-150, 1e-90, 1e80, 1e150}) {
    EXPECT_GE(convolution_norm_bound(torch::full({1, 1, 3, 3}, scale, wide), {1, 1, 6, 6}), scale);
    EXPECT_GE(spectral_norm_bound(torch::full({3, 3}, scale, wide)), scale);
  }
}

TEST(ExtremeValuesTest, ABatchOfNobody) {
  for (const auto& name : network_names()) {
    auto network = make_network(name, {{1, 8, 8}, 2});
    EXPECT_EQ(network->forward(torch::zeros({0, 1, 8, 8})).sizes(),
              (std::vector<std::int64_t>{0, 2}))
        << name;
  }
}

}  // namespace
}  // namespace sotto::lipschitz
