// Where project() leaves the weights.
#include <gtest/gtest.h>

#include "sotto/lipschitz/linear_layers.h"
#include "tests/lipschitz/exact_norms.h"

namespace sotto::lipschitz {
namespace {

// Norms are exact to this, in float.
constexpr double kAboveOne = 1 + 1e-6;

template <typename Layer>
void throw_far(Layer& layer, double distance) {
  torch::NoGradGuard no_gradients;
  for (auto& parameter : layer->parameters()) {
    parameter.add_(distance * torch::randn_like(parameter));
  }
  layer->project();
}

TEST(ProjectionTest, LinearLayersAreWithinTheUnitBall) {
  torch::manual_seed(1);
  for (const auto constraint :
       {Constraint::kOrthogonal, Constraint::kSpectral, Constraint::kFrobenius}) {
    for (const double distance : {0.0, 1e-3, 0.1, 10.0, 1e6}) {
      Linear layer(LinearOptions{30, 20, constraint});
      throw_far(layer, distance);
      EXPECT_LE(exact_norm(layer->weight), kAboveOne) << to_string(constraint) << " " << distance;
      if (constraint == Constraint::kFrobenius) {
        EXPECT_LE(length_of(layer->weight), kAboveOne);
      }
    }
  }
}

TEST(ProjectionTest, ConvolutionsAreWithinTheUnitBall) {
  torch::manual_seed(2);
  for (const auto constraint : {Constraint::kOrthogonal, Constraint::kSpectral}) {
    for (const double distance : {0.0, 0.1, 10.0, 1e6}) {
      for (const std::int64_t stride : {1, 2}) {
        Conv2d conv(Conv2dOptions{2, 4, 3, stride, 1, 8, 7, constraint});
        throw_far(conv, distance);
        EXPECT_LE(exact_norm(*conv), kAboveOne) << to_string(constraint) << " " << distance;
      }
    }
  }
}

TEST(ProjectionTest, OrthogonalLayersLoseNoDirection) {
  torch::manual_seed(3);
  Linear layer(LinearOptions{40, 16});
  for (int step = 0; step < 20; ++step) {
    throw_far(layer, 0.3);
    EXPECT_GE(torch::linalg_svdvals(layer->weight).min().item<double>(), 0.95);
  }
  Conv2d conv(Conv2dOptions{2, 4, 3, 1, 1, 12, 12});
  throw_far(conv, 1);
  EXPECT_GE(exact_norm(*conv), 0.95);
}

// Steps come by the thousand: what each takes without need must not add up.
TEST(ProjectionTest, RepeatedItSettlesJustBelowOne) {
  torch::manual_seed(4);
  for (const auto constraint :
       {Constraint::kOrthogonal, Constraint::kSpectral, Constraint::kFrobenius}) {
    Linear layer(LinearOptions{30, 20, constraint});
    throw_far(layer, 0.1);
    const double before = exact_norm(layer->weight);
    for (int i = 0; i < 200; ++i) layer->project();
    EXPECT_GE(exact_norm(layer->weight), 0.94 * before) << to_string(constraint);
  }
  Linear orthogonal_already(LinearOptions{30, 20, Constraint::kSpectral});
  for (int i = 0; i < 200; ++i) orthogonal_already->project();
  EXPECT_GE(exact_norm(orthogonal_already->weight), 0.94);
}

TEST(ProjectionTest, BiasesKeepToTheirLimit) {
  torch::manual_seed(5);
  Bias bias(8, 0.25);
  EXPECT_EQ(length_of(bias->bias), 0);
  throw_far(bias, 1e-3);
  const double small = length_of(bias->bias);
  bias->project();
  EXPECT_EQ(length_of(bias->bias), small);  // within the limit nothing moves
  throw_far(bias, 100);
  EXPECT_NEAR(length_of(bias->bias), 0.25, 1e-6);
}

}  // namespace
}  // namespace sotto::lipschitz
