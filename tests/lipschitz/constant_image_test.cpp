// The image on which the published bound of a convolution's gradient fails: constant, with a
// constant gradient. A 3x3 kernel then sees every pixel nine times, and they all agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sotto/lipschitz/linear_layers.h"
#include "tests/lipschitz/exact_norms.h"

namespace sotto::lipschitz {
namespace {

using testing::HasSubstr;
using torch::Tensor;

constexpr std::int64_t kSide = 28;

Tensor unit_image() { return torch::full({1, 1, kSide, kSide}, 1.0 / kSide); }

// ‖∂<y, g>/∂W‖ for an image and a gradient of norm 1.
double kernel_gradient(const Tensor& weight, const std::function<Tensor(const Tensor&)>& forward) {
  const Tensor product = (forward(unit_image()) * unit_image()).sum();
  return length_of(torch::autograd::grad({product}, {weight})[0]);
}

std::string why_bound_fails(double gradient, double bound) {
  if (gradient <= bound * (1 + 1e-5)) return "";
  return "gradient " + std::to_string(gradient) + " above the bound " + std::to_string(bound);
}

double raw_gradient() {
  const Tensor kernel = torch::zeros({1, 1, 3, 3}, torch::requires_grad());
  return kernel_gradient(kernel,
                         [&](const Tensor& x) { return torch::conv2d(x, kernel, {}, 1, 1); });
}

// (27² + 28² + 27²) / 28².
TEST(ConstantImageTest, GradientOfARawKernel) { EXPECT_NEAR(raw_gradient(), 2.860, 5e-4); }

TEST(ConstantImageTest, GradientOfTheStoredWeightIsWithinItsBound) {
  for (const auto constraint : {Constraint::kOrthogonal, Constraint::kSpectral}) {
    torch::manual_seed(1);
    Conv2d conv(Conv2dOptions{1, 1, 3, 1, 1, kSide, kSide, constraint});
    const double gradient =
        kernel_gradient(conv->weight, [&](const Tensor& x) { return conv->forward(x); });
    const double bound = conv->parameter_bounds_of(1, 1).front().bound;
    EXPECT_EQ(why_bound_fails(gradient, bound), "");
    EXPECT_GT(gradient, 0.95 * bound);
    // That many windows see every pixel: no bound below √9 holds for a raw kernel.
    EXPECT_EQ(why_bound_fails(raw_gradient(), bound / conv->scale()), "");
  }
}

// coef·√(kh·kw), with coef = √(w·h/[(kh·h - a(a+1))(kw·w - b(b+1))]), a = b = 1: right for a kernel
// that is multiplied by coef when it is used, not for one that is stored multiplied.
TEST(ConstantImageTest, ThePublishedBoundIsCaught) {
  const double side = kSide;
  const double coef = side / (3 * side - 2);
  const double published = coef * 3;
  EXPECT_NEAR(published, 1.024, 5e-4);
  EXPECT_THAT(why_bound_fails(raw_gradient(), published), HasSubstr("above the bound"));
}

}  // namespace
}  // namespace sotto::lipschitz
